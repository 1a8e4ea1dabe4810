// args: tensor<3xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %bound = %n, %v = %x) : tensor<i32>, tensor<i32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %bound, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.reshape %bound : (tensor<i32>) -> tensor<1xi32>
    %f = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %w = stablehlo.add %v, %f : tensor<?xf32>
    stablehlo.return %j, %bound, %w : tensor<i32>, tensor<i32>, tensor<?xf32>
  }
  return %r#2 : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.constant dense<0> : tensor<i32>
//        %1 = stablehlo.constant dense<1> : tensor<i32>
//        %2 = stablehlo.constant dense<3> : tensor<i32>
//        %3:3 = stablehlo.while(%arg1 = %0, %arg2 = %2, %arg3 = %arg0) : tensor<i32>, tensor<i32>, tensor<3xf32>
//        cond {
//          %4 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//          stablehlo.return %4 : tensor<i1>
//        } do {
//          %5 = stablehlo.add %arg1, %1 : tensor<i32>
//          %6 = stablehlo.iota dim = 0 : tensor<3xf32>
//          %7 = stablehlo.add %arg3, %6 : tensor<3xf32>
//          stablehlo.return %5, %arg2, %7 : tensor<i32>, tensor<i32>, tensor<3xf32>
//        }
//        func.return %3#2 : tensor<3xf32>
//      }
//    }
