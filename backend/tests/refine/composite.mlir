// args: tensor<3xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.composite "my.gelu" %x {decomposition = @gelu} : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @gelu(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.multiply %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.composite "my.gelu" %arg0 {decomposition = @gelu} : (tensor<3xf32>) -> tensor<3xf32>
//        func.return %0 : tensor<3xf32>
//      }
//      func.func private @gelu(%arg0: tensor<3xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>
//        func.return %0 : tensor<3xf32>
//      }
//    }
