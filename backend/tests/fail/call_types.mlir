// error: (callee) @f takes (tensor<2xf32>), but the operands are (tensor<f32>)
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = func.call @f(%a) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @f(%a: tensor<2xf32>) -> tensor<f32> {
  %r = stablehlo.constant dense<1.0> : tensor<f32>
  return %r : tensor<f32>
}
