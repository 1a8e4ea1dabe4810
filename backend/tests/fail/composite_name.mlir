// error: (C1) name must be a namespace and a name such as my.op, got `op`
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.composite "op" %a {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @f(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
