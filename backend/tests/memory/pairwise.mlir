// XLA:CPU arguments=262144 outputs=16777216 temporaries=0 aliased=0 total=17039360
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2048x16xf32>, %arg1: tensor<2048x16xf32>) -> (tensor<2048x2048xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2048x16xf32>) -> tensor<2048x1x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2048x16xf32>) -> tensor<1x2048x16xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2048x1x16xf32>) -> tensor<2048x2048x16xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x2048x16xf32>) -> tensor<2048x2048x16xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<2048x2048x16xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<2048x2048x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2048x2048x16xf32>, tensor<f32>) -> tensor<2048x2048xf32>
    return %6 : tensor<2048x2048xf32>
  }
}
