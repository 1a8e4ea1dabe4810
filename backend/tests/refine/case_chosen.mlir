// args: tensor<2x3xf32>
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %platform = stablehlo.constant dense<1> : tensor<i32>
  %y = "stablehlo.case"(%platform) ({
    %a = stablehlo.custom_call @not_here(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    stablehlo.return %a : tensor<?x?xf32>
  }, {
    %b = stablehlo.negate %x : tensor<?x?xf32>
    stablehlo.return %b : tensor<?x?xf32>
  }) : (tensor<i32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
//        %0 = stablehlo.negate %arg0 : tensor<2x3xf32>
//        func.return %0 : tensor<2x3xf32>
//      }
//    }
