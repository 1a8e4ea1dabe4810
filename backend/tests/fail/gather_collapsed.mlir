// error: (C9) the slice size of collapsed dimension 0 must be at most 1, got 2
func.func @main(%a: tensor<3x4xf32>, %b: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>} : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
