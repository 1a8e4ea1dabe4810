module @tt_jit_cross_entropy_loss {
  func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xi64>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %c = stablehlo.constant dense<0> : tensor<4xi64>
    %c_0 = stablehlo.constant dense<-100> : tensor<4xi64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.reshape %0 : (tensor<4xf32>) -> tensor<4x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x4xf32>
    %4 = stablehlo.exponential %3 : tensor<4x4xf32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.reshape %5 : (tensor<4xf32>) -> tensor<4x1xf32>
    %7 = stablehlo.log %6 : tensor<4x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<4x4xf32>
    %10 = stablehlo.compare NE, %arg1, %c_0 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %11 = stablehlo.select %10, %arg1, %c : tensor<4xi1>, tensor<4xi64>
    %12 = stablehlo.reshape %11 : (tensor<4xi64>) -> tensor<4x1x1xi64>
    %13 = "stablehlo.gather"(%9, %12) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<4x1x1xi64>) -> tensor<4x1xf32>
    %14 = stablehlo.reshape %13 : (tensor<4x1xf32>) -> tensor<4xf32>
    %15 = stablehlo.negate %14 : tensor<4xf32>
    %16 = stablehlo.convert %10 : (tensor<4xi1>) -> tensor<4xf32>
    %17 = stablehlo.select %10, %15, %cst : tensor<4xi1>, tensor<4xf32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %20 = stablehlo.divide %18, %19 : tensor<f32>
    return %20 : tensor<f32>
  }
}
