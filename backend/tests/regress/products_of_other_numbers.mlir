// JAX multiplies integers with floats, and floats with complex numbers, in one product: the simpler operand is
// converted to the result's type.
func.func @main() {
  %a = stablehlo.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[0.5, 1.0], [2.0, 0.25]]> : tensor<2x2xf16>
  %c = stablehlo.constant dense<[[(1.0, 2.0), (0.0, 1.0)], [(2.0, 0.0), (0.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
  %x = stablehlo.optimization_barrier %a : tensor<2x2xi32>
  %0 = "stablehlo.dot_general"(%x, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x2xi32>, tensor<2x2xf16>) -> tensor<2x2xf16>
  %1 = "stablehlo.dot_general"(%c, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x2xcomplex<f32>>, tensor<2x2xf16>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %0, dense<[[4.5, 1.5], [-6.5, 2.0]]> : tensor<2x2xf16>
  check.expect_eq_const %1, dense<[[(0.5, 3.0), (1.0, 2.25)], [(1.0, -2.0), (2.0, -0.25)]]> : tensor<2x2xcomplex<f32>>
  // So is the operand of a convolution whose padding is known only when it runs.
  %image = stablehlo.constant dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>
  %kernel = stablehlo.constant dense<[[[[0.5]]]]> : tensor<1x1x1x1xf32>
  %none = stablehlo.constant dense<0> : tensor<2x2xi32>
  %padding = stablehlo.optimization_barrier %none : tensor<2x2xi32>
  %2 = "stablehlo.dynamic_conv"(%image, %kernel, %padding) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>} : (tensor<1x2x2x1xi8>, tensor<1x1x1x1xf32>, tensor<2x2xi32>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %2, dense<[[[[0.5], [1.0]], [[1.5], [2.0]]]]> : tensor<1x2x2x1xf32>
  func.return
}
