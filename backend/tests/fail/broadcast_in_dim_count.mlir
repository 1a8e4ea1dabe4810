// error: (C2) broadcast_dimensions has 2 elements, but the rank of operand is 1
func.func @main(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
