// XLA:CPU arguments=33554432 outputs=58720256 temporaries=0 aliased=0 total=92274688
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4194304xf32>, %arg1: tensor<4194304xf32>) -> (tensor<14680064xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4194304xf32>
    %1 = stablehlo.concatenate %arg0, %arg1, %0, dim = 0 : (tensor<4194304xf32>, tensor<4194304xf32>, tensor<4194304xf32>) -> tensor<12582912xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_pad(%1, %c) : (tensor<12582912xf32>, tensor<i32>) -> tensor<14680064xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14680064xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<14680064xf32>
    return %4 : tensor<14680064xf32>
  }
  func.func private @_pad(%arg0: tensor<12582912xf32>, %arg1: tensor<i32>) -> tensor<14680064xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1048576], high = [1048576], interior = [0] : (tensor<12582912xf32>, tensor<f32>) -> tensor<14680064xf32>
    return %1 : tensor<14680064xf32>
  }
}
