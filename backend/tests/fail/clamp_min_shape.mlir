// error: (C1) min and operand must have the same shape
func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
