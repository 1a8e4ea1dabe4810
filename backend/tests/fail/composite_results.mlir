// error: (C4) @f returns (tensor<f32>), but the declared results are (tensor<2xf32>)
func.func @main(%a: tensor<f32>) -> tensor<2xf32> {
  %r = stablehlo.composite "my.op" %a {decomposition = @f} : (tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @f(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
