// args: tensor<3x4xf32>
func.func @main(%x: tensor<?x4xf32>) -> tensor<i32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  return %n : tensor<i32>
}

// => module {
//      func.func @main(%arg0: tensor<3x4xf32>) -> tensor<i32> {
//        %0 = stablehlo.constant dense<3> : tensor<i32>
//        func.return %0 : tensor<i32>
//      }
//    }
