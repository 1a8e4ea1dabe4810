// args: tensor<2xf32>; tensor<i1>
func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<i32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %y = "stablehlo.if"(%p) ({
    %ok = stablehlo.compare EQ, %n, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "b is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    stablehlo.return %three : tensor<i32>
  }, {
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %y : tensor<i32>
}

// => module {
//      func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<i1>) -> tensor<i32> {
//        %0 = stablehlo.constant dense<2> : tensor<i32>
//        %1 = stablehlo.constant dense<3> : tensor<i32>
//        %2 = "stablehlo.if"(%arg1) ({
//          %3 = stablehlo.constant dense<false> : tensor<i1>
//          stablehlo.custom_call @shape_assertion(%3, %0) {api_version = 2 : i32, has_side_effect = true, error_message = "b is {0}"} : (tensor<i1>, tensor<i32>) -> ()
//          stablehlo.return %1 : tensor<i32>
//        }, {
//          stablehlo.return %0 : tensor<i32>
//        }) : (tensor<i1>) -> tensor<i32>
//        func.return %2 : tensor<i32>
//      }
//    }
