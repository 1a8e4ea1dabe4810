// error: (C2) the normal distribution needs floating-point parameters
func.func @main(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<1xi64>) -> tensor<?xi32> {
  %r = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
