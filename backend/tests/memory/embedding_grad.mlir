// XLA:CPU arguments=33816576 outputs=33554432 temporaries=8650752 aliased=0 total=76021760
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<262144x32xf32>, %arg1: tensor<65536xi32>) -> (tensor<262144x32xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<65536xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<65536xi32>, tensor<65536xi32>) -> tensor<65536xi1>
    %c_0 = stablehlo.constant dense<262144> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<65536xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<65536xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<65536xi1>, tensor<65536xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<65536xi32>) -> tensor<65536x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<262144x32xf32>, tensor<65536x1xi32>) -> tensor<65536x32xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<65536x32xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<65536x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<65536x32xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<65536x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<262144x32xf32>
    %12 = "stablehlo.scatter"(%11, %5, %10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<262144x32xf32>, tensor<65536x1xi32>, tensor<65536x32xf32>) -> tensor<262144x32xf32>
    return %12 : tensor<262144x32xf32>
  }
}
