// error: (C4) padding makes dimension 0 of tensor<3xf32> negative or too large
func.func @main(%a: tensor<3xf32>, %b: tensor<f32>) -> tensor<0xf32> {
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: -4>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}
