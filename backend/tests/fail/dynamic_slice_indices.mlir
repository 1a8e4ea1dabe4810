// error: (C2) start_indices has 1 elements, but the rank of operand is 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<i32>) -> tensor<1x1xf32> {
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
