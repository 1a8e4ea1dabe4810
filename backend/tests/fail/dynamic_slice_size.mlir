// error: (C4) slice size 4 exceeds dimension 0 of size 3
func.func @main(%a: tensor<3xf32>, %b: tensor<i32>) -> tensor<4xf32> {
  %r = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 4>} : (tensor<3xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
