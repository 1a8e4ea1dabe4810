// error: (C2) function @missing is not defined
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.composite "my.op" %a {decomposition = @missing} : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
