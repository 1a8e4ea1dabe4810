// error: (C23) the update computation must take 2 arguments, it takes 1
func.func @main(%a: tensor<3x4xf32>, %b: tensor<5x1xi32>, %c: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %r = "stablehlo.scatter"(%a, %b, %c) ({
    ^bb0(%x: tensor<f32>):
      stablehlo.return %x : tensor<f32>
  }) {indices_are_sorted = false, unique_indices = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
