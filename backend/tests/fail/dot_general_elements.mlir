// error: (C13) products of f32 and i32 elements cannot be summed in tensor<2x4xi32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xi32>) -> tensor<2x4xi32> {
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x3xf32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
