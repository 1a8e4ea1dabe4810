// args: tensor<2xf32>; tensor<5xf32>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = call @twice(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %c = call @twice(%b) : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<5xf32>) -> (tensor<2xf32>, tensor<5xf32>, tensor<5xf32>) {
//        %0 = func.call @twice(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
//        %1 = func.call @twice_0(%arg1) : (tensor<5xf32>) -> tensor<5xf32>
//        %2 = func.call @twice_0(%1) : (tensor<5xf32>) -> tensor<5xf32>
//        func.return %0, %1, %2 : tensor<2xf32>, tensor<5xf32>, tensor<5xf32>
//      }
//      func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
//        %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
//        func.return %0 : tensor<2xf32>
//      }
//      func.func private @twice_0(%arg0: tensor<5xf32>) -> tensor<5xf32> {
//        %0 = stablehlo.add %arg0, %arg0 : tensor<5xf32>
//        func.return %0 : tensor<5xf32>
//      }
//    }
