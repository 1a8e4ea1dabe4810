// args: tensor<2x3xf32>
func.func @main(%x: tensor<?x3xf32>) -> tensor<?xf64> {
  %y = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// => module {
//      func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2xf64> {
//        %0 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf64>
//        func.return %0 : tensor<2xf64>
//      }
//    }
