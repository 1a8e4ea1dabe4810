// error: unknown value `%s`
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.add %s, %a : tensor<f32>
  %s = stablehlo.add %a, %a : tensor<f32>
  return %r : tensor<f32>
}
