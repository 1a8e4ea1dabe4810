// error: (I2) padding_value must be 0-dimensional
func.func @main(%a: tensor<3xf32>, %b: tensor<1xf32>) -> tensor<3xf32> {
  %r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
