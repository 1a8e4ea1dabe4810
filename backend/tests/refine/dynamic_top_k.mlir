// args: tensor<2x6xf32>
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %n) {api_version = 2 : i32} : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

// => module {
//      func.func @main(%arg0: tensor<2x6xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
//        %0:2 = chlo.top_k(%arg0, k = 2) : tensor<2x6xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
//        func.return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xi32>
//      }
//    }
