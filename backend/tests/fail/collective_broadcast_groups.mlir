// error: (C1) replica_groups has 0 twice
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
