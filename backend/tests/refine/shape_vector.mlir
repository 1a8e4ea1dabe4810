// args: tensor<2x3xf32>
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
  %b1 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %ab = stablehlo.concatenate %a1, %b1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ba = stablehlo.reverse %ab, dims = [0] : tensor<2xi32>
  %y = stablehlo.dynamic_reshape %x, %ba : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
//        %0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
//        func.return %0 : tensor<3x2xf32>
//      }
//    }
