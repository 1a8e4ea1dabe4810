// The reduction runs by itself, and reads the transpose of what an elementwise region computes
// later in the text: the transpose must wait for it.
func.func @main() {
  %a = stablehlo.constant dense<[[1, 2, 3], [40, 500, 6000]]> : tensor<2x3xui16>
  %x = stablehlo.optimization_barrier %a : tensor<2x3xui16>
  %zero = stablehlo.constant dense<0> : tensor<ui16>
  %c = stablehlo.count_leading_zeros %x : tensor<2x3xui16>
  %t = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x3xui16>) -> tensor<3x2xui16>
  %s = stablehlo.shift_right_logical %x, %c : tensor<2x3xui16>
  %r = stablehlo.reduce(%t init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x2xui16>, tensor<ui16>) -> tensor<ui16>
  check.expect_eq_const %r, dense<15> : tensor<ui16>
  check.expect_eq_const %s, dense<[[0, 0, 0], [0, 3, 750]]> : tensor<2x3xui16>
  func.return
}
