// args: tensor<9xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %start = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %limit = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %step = stablehlo.constant dense<3> : tensor<1xi32>
  %y = stablehlo.real_dynamic_slice %x, %start, %limit, %step : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<9xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.slice %arg0 [1:9:3] : (tensor<9xf32>) -> tensor<3xf32>
//        func.return %0 : tensor<3xf32>
//      }
//    }
