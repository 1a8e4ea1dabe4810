// args: tensor<7xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %d = stablehlo.divide %n, %two : tensor<i32>
  %r = stablehlo.remainder %n, %three : tensor<i32>
  %lt = stablehlo.compare LT, %d, %r, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %s = stablehlo.select %lt, %r, %d : tensor<i1>, tensor<i32>
  %m = stablehlo.maximum %s, %two : tensor<i32>
  %w = stablehlo.convert %m : (tensor<i32>) -> tensor<i64>
  %v = stablehlo.reshape %w : (tensor<i64>) -> tensor<1xi64>
  %y = stablehlo.dynamic_iota %v, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// => module {
//      func.func @main(%arg0: tensor<7xf32>) -> tensor<3xi32> {
//        %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
//        func.return %0 : tensor<3xi32>
//      }
//    }
