// XLA:CPU arguments=33554432 outputs=16777236 temporaries=33554432 aliased=0 total=83886100
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8388608xbf16>, %arg1: tensor<8388608xbf16>) -> (tensor<8388608xbf16> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<8388608xbf16>
    %1 = stablehlo.add %0, %arg0 : tensor<8388608xbf16>
    %2 = stablehlo.tanh %1 : tensor<8388608xbf16>
    %3 = stablehlo.multiply %2, %arg1 : tensor<8388608xbf16>
    %4 = stablehlo.convert %1 : (tensor<8388608xbf16>) -> tensor<8388608xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8388608xf32>, tensor<f32>) -> tensor<f32>
    return %3, %5 : tensor<8388608xbf16>, tensor<f32>
  }
}
