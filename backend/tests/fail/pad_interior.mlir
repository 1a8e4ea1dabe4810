// error: (C3) interior_padding must not be negative
func.func @main(%a: tensor<3xf32>, %b: tensor<f32>) -> tensor<1xf32> {
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
