// error: (I1) operand must be a future, got tensor<f32>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.async_done"(%a) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
