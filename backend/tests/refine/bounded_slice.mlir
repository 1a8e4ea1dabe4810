// args: tensor<6xf32>
func.func @main(%x: tensor<6xf32>) -> (tensor<?xf32, #stablehlo.bounds<6>>, tensor<6xf32>) {
  %n = stablehlo.constant dense<4> : tensor<i32>
  %all = stablehlo.constant dense<6> : tensor<i32>
  %y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  %s = stablehlo.slice %y [0:6] : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<?xf32, #stablehlo.bounds<6>>
  %z = stablehlo.set_dimension_size %s, %all, dim = 0 : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<i32>) -> tensor<6xf32>
  return %s, %z : tensor<?xf32, #stablehlo.bounds<6>>, tensor<6xf32>
}

// => module {
//      func.func @main(%arg0: tensor<6xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
//        %0 = stablehlo.slice %arg0 [0:4] : (tensor<6xf32>) -> tensor<4xf32>
//        %1 = stablehlo.slice %0 [0:4] : (tensor<4xf32>) -> tensor<4xf32>
//        %2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//        %3 = stablehlo.pad %1, %2, low = [0], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
//        func.return %1, %3 : tensor<4xf32>, tensor<6xf32>
//      }
//    }
