// error: (C9) lhs batching dimension 0 has size 3, rhs 0 has 4
func.func @main(%a: tensor<3x2x5xf32>, %b: tensor<4x5x2xf32>) -> tensor<3x2x2xf32> {
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<3x2x5xf32>, tensor<4x5x2xf32>) -> tensor<3x2x2xf32>
  return %r : tensor<3x2x2xf32>
}
