// args: tensor<2xui64>; tensor<3xf32>
func.func @main(%s: tensor<2xui64>, %x: tensor<?xf32>) -> (tensor<2xui64>, tensor<?xui32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n1) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  return %r#0, %r#1 : tensor<2xui64>, tensor<?xui32>
}

// => module {
//      func.func @main(%arg0: tensor<2xui64>, %arg1: tensor<3xf32>) -> (tensor<2xui64>, tensor<3xui32>) {
//        %0:2 = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
//        func.return %0#0, %0#1 : tensor<2xui64>, tensor<3xui32>
//      }
//    }
