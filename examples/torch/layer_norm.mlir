module @tt_jit_layer_norm {
  func.func @main(%arg0: tensor<4x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<6.250000e-02> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16xf32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst_2), (%0 init: %cst_2) across dimensions = [1] : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
     reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<f32>, %arg6: tensor<f32>)  {
      %17 = stablehlo.add %arg3, %arg5 : tensor<f32>
      %18 = stablehlo.add %arg4, %arg6 : tensor<f32>
      stablehlo.return %17, %18 : tensor<f32>, tensor<f32>
    }
    %2 = stablehlo.multiply %1#0, %cst_1 : tensor<4xf32>
    %3 = stablehlo.multiply %1#1, %cst_1 : tensor<4xf32>
    %4 = stablehlo.multiply %2, %2 : tensor<4xf32>
    %5 = stablehlo.subtract %3, %4 : tensor<4xf32>
    %6 = stablehlo.maximum %5, %cst_0 : tensor<4xf32>
    %7 = stablehlo.add %6, %cst : tensor<4xf32>
    %8 = stablehlo.rsqrt %7 : tensor<4xf32>
    %9 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %10 = stablehlo.subtract %arg0, %9 : tensor<4x16xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<4x16xf32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<4x16xf32>
    %15 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
    %16 = stablehlo.add %14, %15 : tensor<4x16xf32>
    return %16, %2, %8 : tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
