// error: (C3) scale has size 4, but operand has 3 features
func.func @main(%a: tensor<2x3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %c, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
