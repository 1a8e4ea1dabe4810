// XLA:CPU arguments=33554436 outputs=16777216 temporaries=196 aliased=0 total=50331848
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<4194304xf32>, %arg2: tensor<4194304xf32>) -> (tensor<4194304xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c, %arg0, %c_0 : tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %2 = stablehlo.multiply %arg1, %arg2 : tensor<4194304xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
      %4 = stablehlo.add %2, %3 : tensor<4194304xf32>
      stablehlo.return %4 : tensor<4194304xf32>
    }, {
      %2 = stablehlo.exponential %arg1 : tensor<4194304xf32>
      %3 = stablehlo.subtract %2, %arg2 : tensor<4194304xf32>
      stablehlo.return %3 : tensor<4194304xf32>
    }, {
      stablehlo.return %arg1 : tensor<4194304xf32>
    }) : (tensor<i32>) -> tensor<4194304xf32>
    return %1 : tensor<4194304xf32>
  }
}
