// args: tensor<7x4xf32>; tensor<2xi32>
func.func @main(%x: tensor<?x4xf32>, %start: tensor<2xi32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.divide %n, %two : tensor<i32>
  %h = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %w = stablehlo.constant dense<4> : tensor<1xi32>
  %sizes = stablehlo.concatenate %h, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %last = stablehlo.subtract %shape, %sizes : tensor<2xi32>
  %s = stablehlo.clamp %zero, %start, %last : tensor<2xi32>
  %l = stablehlo.add %s, %sizes : tensor<2xi32>
  %y = stablehlo.real_dynamic_slice %x, %s, %l, %one : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// => module {
//      func.func @main(%arg0: tensor<7x4xf32>, %arg1: tensor<2xi32>) -> tensor<3x4xf32> {
//        %0 = stablehlo.constant dense<0> : tensor<2xi32>
//        %1 = stablehlo.constant dense<[4, 0]> : tensor<2xi32>
//        %2 = stablehlo.clamp %0, %arg1, %1 : tensor<2xi32>
//        %3 = stablehlo.slice %2 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
//        %4 = stablehlo.reshape %3 : (tensor<1xi32>) -> tensor<i32>
//        %5 = stablehlo.slice %2 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
//        %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
//        %7 = stablehlo.dynamic_slice %arg0, %4, %6, sizes = [3, 4] : (tensor<7x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
//        func.return %7 : tensor<3x4xf32>
//      }
//    }
