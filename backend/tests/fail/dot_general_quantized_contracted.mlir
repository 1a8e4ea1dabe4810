// error: (C16) the quantization dimension of rhs must not be contracted
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x4x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  %r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %r : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
