// XLA:CPU arguments=17833984 outputs=1048576 temporaries=67112960 aliased=0 total=85995520
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x256xf32>, %arg1: tensor<256x8xf32>, %arg2: tensor<8x256x1024xf32>, %arg3: tensor<8x1024x256xf32>) -> (tensor<1024x256xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x256xf32>, tensor<256x8xf32>) -> tensor<1024x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x8xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<1024xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<1024x8xf32>
    %7 = stablehlo.exponential %6 : tensor<1024x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1024x8xf32>, tensor<f32>) -> tensor<1024xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<1024x8xf32>
    %12 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x256x1024xf32>, tensor<1024x256xf32>) -> tensor<8x1024x1024xf32>
    %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<8x1024x1024xf32>) -> tensor<8x1024x1024xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<8x1024x1024xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<8x1024x1024xf32>
    %cst_2 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1024x1024xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x1024x1024xf32>
    %18 = stablehlo.add %13, %17 : tensor<8x1024x1024xf32>
    %cst_3 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1024x1024xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<8x1024x1024xf32>
    %21 = stablehlo.tanh %20 : tensor<8x1024x1024xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1024x1024xf32>
    %23 = stablehlo.add %22, %21 : tensor<8x1024x1024xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1024x1024xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<8x1024x1024xf32>
    %26 = stablehlo.multiply %13, %25 : tensor<8x1024x1024xf32>
    %27 = stablehlo.dot_general %arg3, %26, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1024x256xf32>, tensor<8x1024x1024xf32>) -> tensor<8x256x1024xf32>
    %28 = stablehlo.dot_general %11, %27, batching_dims = [0] x [2], contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1024x8xf32>, tensor<8x256x1024xf32>) -> tensor<1024x256xf32>
    return %28 : tensor<1024x256xf32>
  }
}
