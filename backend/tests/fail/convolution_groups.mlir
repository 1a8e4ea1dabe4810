// error: (C23) feature_group_count 2 and batch_group_count 2 exclude each other
func.func @main(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) -> tensor<1x6x6x6xf32> {
  %r = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x6x6x6xf32>
  return %r : tensor<1x6x6x6xf32>
}
