// error: (C1) all_gather_dim has 2, which is not a dimension of an operand (rank 2)
func.func @main(%a: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
