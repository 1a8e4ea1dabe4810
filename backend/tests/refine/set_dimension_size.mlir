// args: tensor<6xf32>; tensor<4xf32>
func.func @main(%x: tensor<6xf32>, %y: tensor<?xf32>) -> tensor<?xf32, #stablehlo.bounds<6>> {
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %z = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return %z : tensor<?xf32, #stablehlo.bounds<6>>
}

// => module {
//      func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
//        %0 = stablehlo.slice %arg0 [0:4] : (tensor<6xf32>) -> tensor<4xf32>
//        func.return %0 : tensor<4xf32>
//      }
//    }
