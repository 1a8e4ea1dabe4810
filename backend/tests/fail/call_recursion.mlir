// error: recursion is not allowed: @main calls @f calls @main
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = func.call @f(%a) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @f(%a: tensor<f32>) -> tensor<f32> {
  %r = func.call @main(%a) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
