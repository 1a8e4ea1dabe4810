// error: (C4) broadcast_dimensions has 1 twice
func.func @main(%a: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
