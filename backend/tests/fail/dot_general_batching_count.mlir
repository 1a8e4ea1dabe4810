// error: (C1) lhs has 1 batching dimensions, rhs has 0
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3x3xf32> {
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0]>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3x3xf32>
  return %r : tensor<2x3x3xf32>
}
