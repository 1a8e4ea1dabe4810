// dot([[.3744,.1656],[.4707,.1663]], [[.3946,.1186],[.1569,.3145]]) as TPUs print it.
func.func @main() -> tensor<2x2xf32> {
  %a = stablehlo.constant dense<[[0.3744, 0.1656], [0.4707, 0.1663]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[0.3946, 0.1186], [0.1569, 0.3145]]> : tensor<2x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
