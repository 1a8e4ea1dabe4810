// XLA:CPU arguments=18907136 outputs=8388608 temporaries=67108864 aliased=0 total=94404608
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x2048xf32>, %arg1: tensor<2048x8192xi8>, %arg2: tensor<8192xf32>) -> (tensor<256x8192xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<2048x8192xi8>) -> tensor<2048x8192xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8192xf32>) -> tensor<1x8192xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8192xf32>) -> tensor<2048x8192xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<2048x8192xf32>
    %4 = stablehlo.dot_general %arg0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x2048xf32>, tensor<2048x8192xf32>) -> tensor<256x8192xf32>
    return %4 : tensor<256x8192xf32>
  }
}
