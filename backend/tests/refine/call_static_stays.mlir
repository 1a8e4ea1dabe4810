// args: tensor<2xf32>
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %y = call @f(%c, %one) : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return %x, %y : tensor<?xf32>, tensor<f32>
}
func.func private @f(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %g = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %y = stablehlo.add %x, %g : tensor<f32>
  return %y : tensor<f32>
}
func.func private @nobody(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// => module {
//      func.func @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
//        %0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
//        %1 = stablehlo.constant dense<1> : tensor<i32>
//        %2 = func.call @f(%0, %1) : (tensor<f32>, tensor<i32>) -> tensor<f32>
//        func.return %arg0, %2 : tensor<2xf32>, tensor<f32>
//      }
//      func.func private @f(%arg0: tensor<f32>, %arg1: tensor<i32>) -> tensor<f32> {
//        %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
//        %1 = stablehlo.add %arg0, %0 : tensor<f32>
//        func.return %1 : tensor<f32>
//      }
//    }
