// args: tensor<3xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.constant dense<3> : tensor<1xi32>
//        %1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//        %2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
//        %3 = stablehlo.rng %1, %2, %0, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<3xf32>
//        func.return %3 : tensor<3xf32>
//      }
//    }
