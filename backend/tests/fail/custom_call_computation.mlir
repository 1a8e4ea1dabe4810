// error: (called_computations) function @nowhere is not defined
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.custom_call"(%a) {call_target_name = "x", called_computations = [@nowhere]} : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
