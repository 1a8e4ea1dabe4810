// error: (callee) function @nowhere is not defined
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = func.call @nowhere(%a) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
