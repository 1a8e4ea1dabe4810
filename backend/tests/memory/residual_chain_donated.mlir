// XLA:CPU arguments=16777216 outputs=16777216 temporaries=0 aliased=16777216 total=16777216
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4194304xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4194304xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4194304xf32>
    %2 = stablehlo.tanh %1 : tensor<4194304xf32>
    %3 = stablehlo.add %arg0, %2 : tensor<4194304xf32>
    %cst_0 = stablehlo.constant dense<1.100000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<4194304xf32>
    %6 = stablehlo.tanh %5 : tensor<4194304xf32>
    %7 = stablehlo.add %3, %6 : tensor<4194304xf32>
    %cst_1 = stablehlo.constant dense<2.100000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<4194304xf32>
    %10 = stablehlo.tanh %9 : tensor<4194304xf32>
    %11 = stablehlo.add %7, %10 : tensor<4194304xf32>
    %cst_2 = stablehlo.constant dense<3.100000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<4194304xf32>
    %14 = stablehlo.tanh %13 : tensor<4194304xf32>
    %15 = stablehlo.add %11, %14 : tensor<4194304xf32>
    %cst_3 = stablehlo.constant dense<4.100000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<4194304xf32>
    %18 = stablehlo.tanh %17 : tensor<4194304xf32>
    %19 = stablehlo.add %15, %18 : tensor<4194304xf32>
    %cst_4 = stablehlo.constant dense<5.100000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<4194304xf32>
    %22 = stablehlo.tanh %21 : tensor<4194304xf32>
    %23 = stablehlo.add %19, %22 : tensor<4194304xf32>
    %cst_5 = stablehlo.constant dense<6.100000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %25 = stablehlo.multiply %23, %24 : tensor<4194304xf32>
    %26 = stablehlo.tanh %25 : tensor<4194304xf32>
    %27 = stablehlo.add %23, %26 : tensor<4194304xf32>
    %cst_6 = stablehlo.constant dense<7.100000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %29 = stablehlo.multiply %27, %28 : tensor<4194304xf32>
    %30 = stablehlo.tanh %29 : tensor<4194304xf32>
    %31 = stablehlo.add %27, %30 : tensor<4194304xf32>
    %cst_7 = stablehlo.constant dense<8.100000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %33 = stablehlo.multiply %31, %32 : tensor<4194304xf32>
    %34 = stablehlo.tanh %33 : tensor<4194304xf32>
    %35 = stablehlo.add %31, %34 : tensor<4194304xf32>
    %cst_8 = stablehlo.constant dense<9.100000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<4194304xf32>
    %38 = stablehlo.tanh %37 : tensor<4194304xf32>
    %39 = stablehlo.add %35, %38 : tensor<4194304xf32>
    %cst_9 = stablehlo.constant dense<1.010000e+01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<4194304xf32>
    %42 = stablehlo.tanh %41 : tensor<4194304xf32>
    %43 = stablehlo.add %39, %42 : tensor<4194304xf32>
    %cst_10 = stablehlo.constant dense<1.110000e+01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<4194304xf32>
    %46 = stablehlo.tanh %45 : tensor<4194304xf32>
    %47 = stablehlo.add %43, %46 : tensor<4194304xf32>
    return %47 : tensor<4194304xf32>
  }
}
