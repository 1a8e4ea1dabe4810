// XLA:CPU arguments=25165824 outputs=33554432 temporaries=0 aliased=0 total=58720256
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x2048xf32>, %arg1: tensor<4096x1024xf32>) -> (tensor<2048x4096xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<1024x2048xf32>) -> tensor<2048x1024xf32>
    %1 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x4096xf32>) -> tensor<2048x4096xf32>
    return %2 : tensor<2048x4096xf32>
  }
}
