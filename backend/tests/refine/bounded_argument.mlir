// args: tensor<3x8xf32>
func.func @main(%x: tensor<?x8xf32, #stablehlo.bounds<4, ?>>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %y : tensor<?xf32, #stablehlo.bounds<4>>
}

// => module {
//      func.func @main(%arg0: tensor<3x8xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//        %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<3x8xf32>, tensor<f32>) -> tensor<3xf32>
//        func.return %1 : tensor<3xf32>
//      }
//    }
