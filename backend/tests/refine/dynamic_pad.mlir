// args: tensor<3xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %low = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %high = stablehlo.constant dense<1> : tensor<1xi32>
  %in = stablehlo.constant dense<2> : tensor<1xi32>
  %y = stablehlo.dynamic_pad %x, %v, %low, %high, %in : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<3xf32>) -> tensor<11xf32> {
//        %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//        %1 = stablehlo.pad %arg0, %0, low = [3], high = [1], interior = [2] : (tensor<3xf32>, tensor<f32>) -> tensor<11xf32>
//        func.return %1 : tensor<11xf32>
//      }
//    }
