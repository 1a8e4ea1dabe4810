// error: (I1) pred must be a tensor of boolean type
func.func @main(%a: tensor<2xi32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
