// error: unknown value `%x`
func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    %x = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %x : tensor<f32>
  }, {
    %y = stablehlo.add %x, %a : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
