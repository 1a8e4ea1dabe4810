// error: (C6) the operand's 2 must divide the result's 3
func.func @main(%a: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
