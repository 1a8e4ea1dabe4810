// args: tensor<4x6xf32>
func.func @main(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %w = stablehlo.concatenate %n1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %c = stablehlo.subtract %n1, %one : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<3xi32>
  %pad = stablehlo.concatenate %c, %z, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %p = stablehlo.reshape %pad : (tensor<4xi32>) -> tensor<2x2xi32>
  %y = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %w, %ones, %ones, %ones, %p) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<?x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.add %a, %b : tensor<f32>
  return %c : tensor<f32>
}

// => module {
//      func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
//        %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//        %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
//        ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
//          %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
//          stablehlo.return %2 : tensor<f32>
//        }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
//        func.return %1 : tensor<4x6xf32>
//      }
//    }
