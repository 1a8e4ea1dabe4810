// args: tensor<2x3xf32>
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %y = call @rows(%n, %x) : (tensor<i32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func private @rows(%n: tensor<i32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %s2 = stablehlo.concatenate %s, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %i, %s2, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %y = stablehlo.add %b, %x : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
//        %0 = func.call @rows(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
//        func.return %0 : tensor<2x3xf32>
//      }
//      func.func private @rows(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
//        %0 = stablehlo.iota dim = 0 : tensor<2xf32>
//        %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
//        %2 = stablehlo.add %1, %arg0 : tensor<2x3xf32>
//        func.return %2 : tensor<2x3xf32>
//      }
//    }
