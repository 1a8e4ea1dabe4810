// args: tensor<4xf32>; tensor<i1>
func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %s = stablehlo.constant dense<1> : tensor<1xi32>
  %l = stablehlo.constant dense<3> : tensor<1xi32>
  %y = "stablehlo.if"(%p) ({
    %a = stablehlo.real_dynamic_slice %x, %s, %l, %s : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<?xf32> {
//        %0 = "stablehlo.if"(%arg1) ({
//          %1 = stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<?xf32>
//          stablehlo.return %1 : tensor<?xf32>
//        }, {
//          %2 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<?xf32>
//          stablehlo.return %2 : tensor<?xf32>
//        }) : (tensor<i1>) -> tensor<?xf32>
//        func.return %0 : tensor<?xf32>
//      }
//    }
//    dynamic: stablehlo.slice: the shape of its result tensor<?xf32> depends on data
//      help: a static shape is needed here; `tpusim run` computes such programs as they are
