// XLA:CPU arguments=18874368 outputs=2097168 temporaries=36044932 aliased=0 total=57016468
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x512xf32>, %arg1: tensor<512x512xf32>, %arg2: tensor<128x64x512xf32>) -> (tensor<512x512xf32> {jax.result_info = "result[0]"}, tensor<512x512xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x512xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<128x64x512xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<128x64x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:7 = stablehlo.while(%iterArg = %arg2, %iterArg_8 = %arg0, %iterArg_9 = %arg1, %iterArg_10 = %c, %iterArg_11 = %0, %iterArg_12 = %1, %iterArg_13 = %2) : tensor<128x64x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<i32>, tensor<64x512xf32>, tensor<128x64x512xf32>, tensor<128x64x512xf32>
    cond {
      %c_14 = stablehlo.constant dense<128> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_10, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_10) : (tensor<128x64x512xf32>, tensor<i32>) -> tensor<64x512xf32>
      %11 = stablehlo.dot_general %iterArg_11, %iterArg_8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
      %12 = stablehlo.dot_general %10, %iterArg_9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
      %13 = stablehlo.add %11, %12 : tensor<64x512xf32>
      %14 = stablehlo.tanh %13 : tensor<64x512xf32>
      %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64x512xf32>
      %16 = stablehlo.add %15, %14 : tensor<64x512xf32>
      %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<64x512xf32>
      %18 = stablehlo.subtract %17, %14 : tensor<64x512xf32>
      %19 = stablehlo.multiply %16, %18 : tensor<64x512xf32>
      %20 = func.call @dynamic_update_index_in_dim(%iterArg_12, %iterArg_11, %iterArg_10) : (tensor<128x64x512xf32>, tensor<64x512xf32>, tensor<i32>) -> tensor<128x64x512xf32>
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_13, %19, %iterArg_10) : (tensor<128x64x512xf32>, tensor<64x512xf32>, tensor<i32>) -> tensor<128x64x512xf32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.add %iterArg_10, %c_16 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %iterArg_9, %22, %14, %20, %21 : tensor<128x64x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<i32>, tensor<64x512xf32>, tensor<128x64x512xf32>, tensor<128x64x512xf32>
    }
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0x4A800000> : tensor<f32>
    %4 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<128x64x512xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x512xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %9:9 = stablehlo.while(%iterArg = %5, %iterArg_8 = %3#5, %iterArg_9 = %arg2, %iterArg_10 = %3#6, %iterArg_11 = %arg0, %iterArg_12 = %c_7, %iterArg_13 = %7, %iterArg_14 = %8, %iterArg_15 = %6) : tensor<128x64x512xf32>, tensor<128x64x512xf32>, tensor<128x64x512xf32>, tensor<128x64x512xf32>, tensor<512x512xf32>, tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<64x512xf32>
    cond {
      %c_16 = stablehlo.constant dense<128> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_12, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %c_16 = stablehlo.constant dense<128> : tensor<i32>
      %10 = stablehlo.subtract %c_16, %iterArg_12 : tensor<i32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.subtract %10, %c_17 : tensor<i32>
      %12 = func.call @dynamic_index_in_dim(%iterArg, %11) : (tensor<128x64x512xf32>, tensor<i32>) -> tensor<64x512xf32>
      %13 = func.call @dynamic_index_in_dim(%iterArg_8, %11) : (tensor<128x64x512xf32>, tensor<i32>) -> tensor<64x512xf32>
      %14 = func.call @dynamic_index_in_dim(%iterArg_9, %11) : (tensor<128x64x512xf32>, tensor<i32>) -> tensor<64x512xf32>
      %15 = func.call @dynamic_index_in_dim(%iterArg_10, %11) : (tensor<128x64x512xf32>, tensor<i32>) -> tensor<64x512xf32>
      %16 = stablehlo.add %iterArg_15, %12 : tensor<64x512xf32>
      %17 = stablehlo.multiply %16, %15 : tensor<64x512xf32>
      %18 = stablehlo.dot_general %17, %14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<512x512xf32>
      %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %20 = stablehlo.add %iterArg_14, %19 : tensor<512x512xf32>
      %21 = stablehlo.dot_general %17, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<512x512xf32>
      %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %23 = stablehlo.add %iterArg_13, %22 : tensor<512x512xf32>
      %24 = stablehlo.dot_general %17, %iterArg_11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %25 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %25, %23, %20, %24 : tensor<128x64x512xf32>, tensor<128x64x512xf32>, tensor<128x64x512xf32>, tensor<128x64x512xf32>, tensor<512x512xf32>, tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<64x512xf32>
    }
    return %9#6, %9#7 : tensor<512x512xf32>, tensor<512x512xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<128x64x512xf32>, %arg1: tensor<i32>) -> tensor<64x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 512] : (tensor<128x64x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x512xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x512xf32>) -> tensor<64x512xf32>
    return %1 : tensor<64x512xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<128x64x512xf32>, %arg1: tensor<64x512xf32>, %arg2: tensor<i32>) -> tensor<128x64x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x512xf32>) -> tensor<1x64x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<128x64x512xf32>, tensor<1x64x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<128x64x512xf32>
    return %1 : tensor<128x64x512xf32>
  }
}
