// args: tensor<2x3xf32>; tensor<3x5xf32>
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = "stablehlo.sort"(%d) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x5xf32>) -> tensor<2x5xf32> {
//        %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
//        %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
//        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//          %2 = stablehlo.compare LT, %arg2, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
//          stablehlo.return %2 : tensor<i1>
//        }) : (tensor<2x5xf32>) -> tensor<2x5xf32>
//        func.return %1 : tensor<2x5xf32>
//      }
//    }
