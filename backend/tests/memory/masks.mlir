// XLA:CPU arguments=67125248 outputs=67108864 temporaries=0 aliased=0 total=134234112
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4096x4096xf32>, %arg1: tensor<4096xf32>) -> (tensor<4096x4096xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<4096xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4096xi32>) -> tensor<4096x1xi32>
    %2 = stablehlo.iota dim = 0 : tensor<4096xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4096xi32>) -> tensor<1x4096xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4096x1xi32>) -> tensor<4096x4096xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x4096xi32>) -> tensor<4096x4096xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<4096x4096xi32>, tensor<4096x4096xi32>) -> tensor<4096x4096xi1>
    %7 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4096x1xi32>) -> tensor<4096x4096xi32>
    %8 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x4096xi32>) -> tensor<4096x4096xi32>
    %9 = stablehlo.subtract %7, %8 : tensor<4096x4096xi32>
    %c = stablehlo.constant dense<512> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4096x4096xi32>
    %11 = stablehlo.compare LT, %9, %10, SIGNED : (tensor<4096x4096xi32>, tensor<4096x4096xi32>) -> tensor<4096x4096xi1>
    %12 = stablehlo.and %6, %11 : tensor<4096x4096xi1>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4096xf32>) -> tensor<1x4096xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x4096xf32>) -> tensor<4096x4096xf32>
    %15 = stablehlo.add %arg0, %14 : tensor<4096x4096xf32>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %16 = call @_where(%12, %15, %cst) : (tensor<4096x4096xi1>, tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096x4096xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4096x4096xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<4096x4096xf32>
    return %18 : tensor<4096x4096xf32>
  }
  func.func private @_where(%arg0: tensor<4096x4096xi1>, %arg1: tensor<4096x4096xf32>, %arg2: tensor<f32>) -> tensor<4096x4096xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4096x4096xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4096x4096xi1>, tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
