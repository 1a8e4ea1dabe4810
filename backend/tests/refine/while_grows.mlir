// args: tensor<3xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.concatenate %v, %v, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// => module {
//      func.func @main(%arg0: tensor<3xf32>) -> tensor<?xf32> {
//        %0 = stablehlo.constant dense<0> : tensor<i32>
//        %1 = stablehlo.constant dense<1> : tensor<i32>
//        %2 = stablehlo.constant dense<2> : tensor<i32>
//        %3:2 = "stablehlo.while"(%0, %arg0) ({
//        ^bb0(%arg1: tensor<i32>, %arg2: tensor<?xf32>):
//          %4 = stablehlo.compare LT, %arg1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//          stablehlo.return %4 : tensor<i1>
//        }, {
//        ^bb0(%arg3: tensor<i32>, %arg4: tensor<?xf32>):
//          %5 = stablehlo.add %arg3, %1 : tensor<i32>
//          %6 = stablehlo.concatenate %arg4, %arg4, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
//          stablehlo.return %5, %6 : tensor<i32>, tensor<?xf32>
//        }) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<?xf32>)
//        func.return %3#1 : tensor<?xf32>
//      }
//    }
//    dynamic: stablehlo.while: the shape of its result tensor<?xf32> depends on data
//      help: a static shape is needed here; `tpusim run` computes such programs as they are
