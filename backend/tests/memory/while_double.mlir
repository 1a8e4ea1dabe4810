// XLA:CPU arguments=16777216 outputs=16777216 temporaries=16777284 aliased=0 total=50331716
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2048x2048xf32>) -> (tensor<2048x2048xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<2048x2048xf32>
    cond {
      %c_1 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @_roll_static(%iterArg_0) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
      %2 = func.call @_roll_static_0(%iterArg_0) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
      %3 = stablehlo.add %1, %2 : tensor<2048x2048xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
      %5 = stablehlo.multiply %4, %iterArg_0 : tensor<2048x2048xf32>
      %6 = stablehlo.add %3, %5 : tensor<2048x2048xf32>
      %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
      %8 = stablehlo.multiply %7, %6 : tensor<2048x2048xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      stablehlo.return %9, %8 : tensor<i32>, tensor<2048x2048xf32>
    }
    return %0#1 : tensor<2048x2048xf32>
  }
  func.func private @_roll_static(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %0 = stablehlo.slice %arg0 [2047:2048, 0:2048] : (tensor<2048x2048xf32>) -> tensor<1x2048xf32>
    %1 = stablehlo.slice %arg0 [0:2047, 0:2048] : (tensor<2048x2048xf32>) -> tensor<2047x2048xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x2048xf32>, tensor<2047x2048xf32>) -> tensor<2048x2048xf32>
    return %2 : tensor<2048x2048xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %0 = stablehlo.slice %arg0 [1:2048, 0:2048] : (tensor<2048x2048xf32>) -> tensor<2047x2048xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:2048] : (tensor<2048x2048xf32>) -> tensor<1x2048xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2047x2048xf32>, tensor<1x2048xf32>) -> tensor<2048x2048xf32>
    return %2 : tensor<2048x2048xf32>
  }
}
