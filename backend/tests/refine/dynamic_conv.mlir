// args: tensor<2x6x3xf32>; tensor<3x3x4xf32>
func.func @main(%x: tensor<?x?x3xf32>, %k: tensor<3x3x4xf32>) -> tensor<?x?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x3xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r = stablehlo.remainder %n, %four : tensor<i32>
  %p = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
  %y = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<?x?x3xf32>, tensor<3x3x4xf32>, tensor<1x2xi32>) -> tensor<?x?x4xf32>
  return %y : tensor<?x?x4xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2x6x3xf32>, %arg1: tensor<3x3x4xf32>) -> tensor<2x8x4xf32> {
//        %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x3xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
//        func.return %0 : tensor<2x8x4xf32>
//      }
//    }
