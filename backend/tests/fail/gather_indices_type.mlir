// error: (I2) start_indices must be a tensor of integer type
func.func @main(%a: tensor<3x4xf32>, %b: tensor<5x1xf32>) -> tensor<5x4xf32> {
  %r = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<5x1xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
