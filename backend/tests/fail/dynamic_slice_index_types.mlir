// error: (C3) start_indices must have one element type, got i32 and i64
func.func @main(%a: tensor<2x3xf32>, %b: tensor<i32>, %c: tensor<i64>) -> tensor<1x1xf32> {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) {slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
