// error: (C14) the kernel has 3 input features, lhs has 4 a group
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x3x6xf32>) -> tensor<1x6x6x6xf32> {
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x3x6xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}
