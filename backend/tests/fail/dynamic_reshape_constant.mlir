// error: (C4) output_shape says 3 for dimension 0, but the result has 2
func.func @main(%a: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}
