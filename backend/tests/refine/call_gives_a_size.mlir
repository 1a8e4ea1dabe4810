// args: tensor<7xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %h = call @half(%n, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %s = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @half(%n: tensor<i32>, %by: tensor<i32>) -> tensor<i32> {
  %h = stablehlo.divide %n, %by : tensor<i32>
  return %h : tensor<i32>
}

// => module {
//      func.func @main(%arg0: tensor<7xf32>) -> tensor<3xf32> {
//        %0 = stablehlo.iota dim = 0 : tensor<3xf32>
//        func.return %0 : tensor<3xf32>
//      }
//    }
