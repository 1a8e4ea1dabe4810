// args: tensor<2xf32>; tensor<4xf32>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n2 = stablehlo.multiply %n, %two : tensor<i32>
  %ok = stablehlo.compare EQ, %m, %n2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %m, %n2) {api_version = 2 : i32, error_message = "y has {0} elements, 2*b is {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<4xf32>) -> tensor<2xf32> {
//        func.return %arg0 : tensor<2xf32>
//      }
//    }
