// XLA:CPU arguments=16777216 outputs=16777216 temporaries=35799040 aliased=0 total=69353472
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2048x2048xf32>) -> (tensor<2048x2048xf32> {jax.result_info = "result"}) {
    %0 = call @cumsum(%arg0) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %1 = stablehlo.abs %arg0 : tensor<2048x2048xf32>
    %2 = call @cumsum_1(%1) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %3 = stablehlo.divide %0, %2 : tensor<2048x2048xf32>
    return %3 : tensor<2048x2048xf32>
  }
  func.func private @cumsum(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    return %0 : tensor<2048x2048xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [2047, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2048>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048x2048xf32>
    return %1 : tensor<2048x2048xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %0 = call @cumsum_2(%arg0) : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    return %0 : tensor<2048x2048xf32>
  }
  func.func private @cumsum_2(%arg0: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2047, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2048, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048x2048xf32>
    return %1 : tensor<2048x2048xf32>
  }
}
