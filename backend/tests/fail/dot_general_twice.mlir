// error: (C3) batching_dimensions + contracting_dimensions of lhs has 0 twice
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
