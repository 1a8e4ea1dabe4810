// args: tensor<3xf32>; tensor<1xi32>
func.func @main(%x: tensor<?xf32>, %s: tensor<1xi32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %y = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<1xi32>) -> (tensor<3xf32>, tensor<?xf32>) {
//        %0 = stablehlo.dynamic_iota %arg1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
//        func.return %arg0, %0 : tensor<3xf32>, tensor<?xf32>
//      }
//    }
//    dynamic: stablehlo.dynamic_iota: the shape of its result tensor<?xf32> depends on data
//      help: a static shape is needed here; `tpusim run` computes such programs as they are
