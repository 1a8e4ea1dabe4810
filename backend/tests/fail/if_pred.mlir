// error: (I1) pred must be 0-dimensional
func.func @main(%a: tensor<1xi1>, %b: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<f32>
  }, {
    stablehlo.return %b : tensor<f32>
  }) : (tensor<1xi1>) -> tensor<f32>
  return %r : tensor<f32>
}
