// args: tensor<3x4xui8>
func.func @main(%x: tensor<?x4xui8>) -> (tensor<?xf32>, tensor<?x4xi32>) {
  %y = stablehlo.bitcast_convert %x : (tensor<?x4xui8>) -> tensor<?xf32>
  %z = stablehlo.convert %x : (tensor<?x4xui8>) -> tensor<?x4xi32>
  return %y, %z : tensor<?xf32>, tensor<?x4xi32>
}

// => module {
//      func.func @main(%arg0: tensor<3x4xui8>) -> (tensor<3xf32>, tensor<3x4xi32>) {
//        %0 = stablehlo.bitcast_convert %arg0 : (tensor<3x4xui8>) -> tensor<3xf32>
//        %1 = stablehlo.convert %arg0 : (tensor<3x4xui8>) -> tensor<3x4xi32>
//        func.return %0, %1 : tensor<3xf32>, tensor<3x4xi32>
//      }
//    }
