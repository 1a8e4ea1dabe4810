// error: (C3) the operands make result 0 a tensor<2x3xf32>
func.func @main(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
