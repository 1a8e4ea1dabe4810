// XLA:CPU arguments=33566724 outputs=33558552 temporaries=33685504 aliased=33554432 total=67256348
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4096x8x128xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4096x8x128xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x128xf32>, %arg3: tensor<1x8x128xf32>, %arg4: tensor<1x8x128xf32>, %arg5: tensor<i32>) -> (tensor<4096x8x128xf32> {jax.result_info = "result[0]"}, tensor<4096x8x128xf32> {jax.result_info = "result[1]"}, tensor<8x128xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4096> : tensor<i32>
    %1 = stablehlo.add %arg5, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg5 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %arg0, %arg3, %2, %c_1, %c_2 : (tensor<4096x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4096x8x128xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %arg5, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<4096> : tensor<i32>
    %5 = stablehlo.add %arg5, %c_4 : tensor<i32>
    %6 = stablehlo.select %4, %5, %arg5 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.dynamic_update_slice %arg1, %arg4, %6, %c_5, %c_6 : (tensor<4096x8x128xf32>, tensor<1x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4096x8x128xf32>
    %8 = stablehlo.dot_general %arg2, %3, batching_dims = [0] x [1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x128xf32>, tensor<4096x8x128xf32>) -> tensor<8x4096xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x4096xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4096xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<8x4096xf32>
    %15 = stablehlo.exponential %14 : tensor<8x4096xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<8x4096xf32>, tensor<f32>) -> tensor<8xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4096xf32>
    %19 = stablehlo.divide %15, %18 : tensor<8x4096xf32>
    %20 = stablehlo.dot_general %19, %7, batching_dims = [0] x [1], contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4096xf32>, tensor<4096x8x128xf32>) -> tensor<8x128xf32>
    return %3, %7, %20 : tensor<4096x8x128xf32>, tensor<4096x8x128xf32>, tensor<8x128xf32>
  }
}
