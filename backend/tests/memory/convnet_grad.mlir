// XLA:CPU arguments=1108480 outputs=59940 temporaries=49283112 aliased=0 total=50451532
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x8x16xf32>, %arg1: tensor<3x3x16x32xf32>, %arg2: tensor<3x3x32x32xf32>, %arg3: tensor<8x64x64x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x3x8x16xf32> {jax.result_info = "result[1][0]"}, tensor<3x3x16x32xf32> {jax.result_info = "result[1][1]"}, tensor<3x3x32x32xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.convolution(%arg3, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x8xf32>, tensor<3x3x8x16xf32>) -> tensor<8x64x64x16xf32>
    %1 = call @relu(%0) : (tensor<8x64x64x16xf32>) -> tensor<8x64x64x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64x64x16xf32>
    %3 = stablehlo.compare GT, %0, %2, FLOAT : (tensor<8x64x64x16xf32>, tensor<8x64x64x16xf32>) -> tensor<8x64x64x16xi1>
    %4 = stablehlo.convolution(%1, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x16xf32>, tensor<3x3x16x32xf32>) -> tensor<8x64x64x32xf32>
    %5 = call @relu_0(%4) : (tensor<8x64x64x32xf32>) -> tensor<8x64x64x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64x64x32xf32>
    %7 = stablehlo.compare GT, %4, %6, FLOAT : (tensor<8x64x64x32xf32>, tensor<8x64x64x32xf32>) -> tensor<8x64x64x32xi1>
    %8 = stablehlo.convolution(%5, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x32xf32>, tensor<3x3x32x32xf32>) -> tensor<8x64x64x32xf32>
    %9 = call @relu_0(%8) : (tensor<8x64x64x32xf32>) -> tensor<8x64x64x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x64x64x32xf32>
    %11 = stablehlo.compare GT, %8, %10, FLOAT : (tensor<8x64x64x32xf32>, tensor<8x64x64x32xf32>) -> tensor<8x64x64x32xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.reduce_window"(%9, %12) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %34 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %34 : tensor<f32>
    }) : (tensor<8x64x64x32xf32>, tensor<f32>) -> tensor<8x32x32x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<8x32x32x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<2.621440e+05> : tensor<f32>
    %15 = stablehlo.divide %14, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<2.621440e+05> : tensor<f32>
    %16 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<8x32x32x32xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.pad %9, %cst_7, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x64x64x32xf32>, tensor<f32>) -> tensor<8x64x64x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = "stablehlo.select_and_scatter"(%18, %17, %cst_8) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %34 = stablehlo.compare GE, %arg4, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %34 : tensor<i1>
    }, {
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %34 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %34 : tensor<f32>
    }) : (tensor<8x64x64x32xf32>, tensor<8x32x32x32xf32>, tensor<f32>) -> tensor<8x64x64x32xf32>
    %20 = stablehlo.slice %19 [0:8, 0:64, 0:64, 0:32] : (tensor<8x64x64x32xf32>) -> tensor<8x64x64x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x64x64x32xf32>
    %22 = stablehlo.select %11, %20, %21 : tensor<8x64x64x32xi1>, tensor<8x64x64x32xf32>
    %23 = stablehlo.convolution(%5, %22) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x32xf32>, tensor<8x64x64x32xf32>) -> tensor<3x3x32x32xf32>
    %24 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x32x32xf32>
    %25 = stablehlo.convolution(%22, %24) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x32xf32>, tensor<3x3x32x32xf32>) -> tensor<8x64x64x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x64x64x32xf32>
    %27 = stablehlo.select %7, %25, %26 : tensor<8x64x64x32xi1>, tensor<8x64x64x32xf32>
    %28 = stablehlo.convolution(%1, %27) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x16xf32>, tensor<8x64x64x32xf32>) -> tensor<3x3x16x32xf32>
    %29 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x16x32xf32>
    %30 = stablehlo.convolution(%27, %29) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x32xf32>, tensor<3x3x16x32xf32>) -> tensor<8x64x64x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x64x64x16xf32>
    %32 = stablehlo.select %3, %30, %31 : tensor<8x64x64x16xi1>, tensor<8x64x64x16xf32>
    %33 = stablehlo.convolution(%arg3, %32) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x64x64x8xf32>, tensor<8x64x64x16xf32>) -> tensor<3x3x8x16xf32>
    return %15, %33, %28, %23 : tensor<f32>, tensor<3x3x8x16xf32>, tensor<3x3x16x32xf32>, tensor<3x3x32x32xf32>
  }
  func.func private @relu(%arg0: tensor<8x64x64x16xf32>) -> tensor<8x64x64x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64x64x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x64x64x16xf32>
    return %1 : tensor<8x64x64x16xf32>
  }
  func.func private @relu_0(%arg0: tensor<8x64x64x32xf32>) -> tensor<8x64x64x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64x64x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x64x64x32xf32>
    return %1 : tensor<8x64x64x32xf32>
  }
}
