// XLA:CPU arguments=41943040 outputs=33554432 temporaries=33554432 aliased=0 total=109051904
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x8x1024xf32>, %arg1: tensor<1024x1x1024xf32>, %arg2: tensor<1024x1x1024xf32>) -> (tensor<1024x8x1024xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1024, 0:8, 0:512] : (tensor<1024x8x1024xf32>) -> tensor<1024x8x512xf32>
    %1 = stablehlo.slice %arg0 [0:1024, 0:8, 512:1024] : (tensor<1024x8x1024xf32>) -> tensor<1024x8x512xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<1024x1x1024xf32>) -> tensor<1024x8x1024xf32>
    %3 = stablehlo.multiply %arg0, %2 : tensor<1024x8x1024xf32>
    %4 = stablehlo.negate %1 : tensor<1024x8x512xf32>
    %5 = stablehlo.concatenate %4, %0, dim = 2 : (tensor<1024x8x512xf32>, tensor<1024x8x512xf32>) -> tensor<1024x8x1024xf32>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<1024x1x1024xf32>) -> tensor<1024x8x1024xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<1024x8x1024xf32>
    %8 = stablehlo.add %3, %7 : tensor<1024x8x1024xf32>
    return %8 : tensor<1024x8x1024xf32>
  }
}
