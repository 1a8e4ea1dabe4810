// args: tensor<6x2xf32>
func.func @main(%x: tensor<?x2xf32>) -> tensor<?x4xf32> {
  %y = stablehlo.reshape %x : (tensor<?x2xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// => module {
//      func.func @main(%arg0: tensor<6x2xf32>) -> tensor<3x4xf32> {
//        %0 = stablehlo.reshape %arg0 : (tensor<6x2xf32>) -> tensor<3x4xf32>
//        func.return %0 : tensor<3x4xf32>
//      }
//    }
