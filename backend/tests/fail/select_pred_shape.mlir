// error: (C1) pred and on_true must have the same shape
func.func @main(%a: tensor<3xi1>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
