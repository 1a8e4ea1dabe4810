// error: (C3) broadcast_dimensions has 2, which is not a dimension of result (rank 2)
func.func @main(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 2>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
