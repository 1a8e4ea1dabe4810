// args: tensor<2xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
//        %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
//        func.return %0 : tensor<2xf32>
//      }
//    }
