// The size is an argument, as exports of JAX of 2023 have it.
func.func @main(%b: tensor<i64> loc("b"), %x: tensor<?x2xf32> loc("x")) -> tensor<?x2xf32> {
  %n = stablehlo.reshape %b : (tensor<i64>) -> tensor<1xi64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %s = stablehlo.concatenate %n, %two, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x2xf32>
  %y = stablehlo.add %i, %x : tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
