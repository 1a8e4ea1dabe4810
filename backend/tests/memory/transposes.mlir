// XLA:CPU arguments=16777216 outputs=262144 temporaries=17039360 aliased=0 total=34078720
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x256x64xf32>) -> (tensor<256x256xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<256x256x64xf32>) -> tensor<64x256x256xf32>
    %1 = stablehlo.tanh %0 : tensor<64x256x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<64x256x256xf32>, tensor<f32>) -> tensor<256x256xf32>
    %3 = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<256x256x64xf32>) -> tensor<256x64x256xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<256x64x256xf32>, tensor<f32>) -> tensor<256x256xf32>
    %5 = stablehlo.add %2, %4 : tensor<256x256xf32>
    return %5 : tensor<256x256xf32>
  }
}
