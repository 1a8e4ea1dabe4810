// error: (C2) true_branch returns (tensor<f32>), but false_branch returns (tensor<2xf32>)
func.func @main(%a: tensor<i1>, %b: tensor<f32>, %c: tensor<2xf32>) -> tensor<f32> {
  %r = "stablehlo.if"(%a) ({
    stablehlo.return %b : tensor<f32>
  }, {
    stablehlo.return %c : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
