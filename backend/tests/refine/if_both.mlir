// args: tensor<2xf32>; tensor<i1>
func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %y = "stablehlo.if"(%p) ({
    %a = stablehlo.exponential %x : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<i1>) -> tensor<2xf32> {
//        %0 = "stablehlo.if"(%arg1) ({
//          %1 = stablehlo.exponential %arg0 : tensor<2xf32>
//          stablehlo.return %1 : tensor<2xf32>
//        }, {
//          stablehlo.return %arg0 : tensor<2xf32>
//        }) : (tensor<i1>) -> tensor<2xf32>
//        func.return %0 : tensor<2xf32>
//      }
//    }
