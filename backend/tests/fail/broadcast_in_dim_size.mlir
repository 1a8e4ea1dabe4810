// error: (C5) dimension 0 of operand has size 3, neither 1 nor the size 2 of dimension 0 of result
func.func @main(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
