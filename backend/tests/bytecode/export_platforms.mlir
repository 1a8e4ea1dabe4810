#loc = loc(unknown)
#loc1 = loc("x")
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32> {jax.global_constant = "_platform_index"} loc(unknown), %arg1: tensor<3xf32> loc("x")) -> (tensor<3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32> loc(#loc)
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %c_0 = stablehlo.constant dense<1> : tensor<i32> loc(#loc)
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %c_0 : tensor<i32> loc(#loc12)
    }, {
      stablehlo.return %c : tensor<i32> loc(#loc12)
    }) : (tensor<i32>) -> tensor<i32> loc(#loc12)
    %1 = "stablehlo.case"(%0) ({
      stablehlo.return %c : tensor<i32> loc(#loc12)
    }, {
      stablehlo.return %c_0 : tensor<i32> loc(#loc12)
    }) : (tensor<i32>) -> tensor<i32> loc(#loc12)
    %2 = "stablehlo.case"(%1) ({
      stablehlo.return %c_0 : tensor<i32> loc(#loc13)
    }, {
      stablehlo.return %c : tensor<i32> loc(#loc13)
    }) : (tensor<i32>) -> tensor<i32> loc(#loc13)
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32> loc(#loc16)
      %5 = stablehlo.subtract %arg1, %4 : tensor<3xf32> loc(#loc16)
      stablehlo.return %5 : tensor<3xf32> loc(#loc13)
    }, {
      %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32> loc(#loc17)
      %5 = stablehlo.add %arg1, %4 : tensor<3xf32> loc(#loc17)
      stablehlo.return %5 : tensor<3xf32> loc(#loc13)
    }) : (tensor<i32>) -> tensor<3xf32> loc(#loc13)
    return %3 : tensor<3xf32> loc(#loc11)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("/tmp/ex.py":9:20 to :91)
#loc3 = loc("/tmp/ex.py":10:2 to :82)
#loc4 = loc("/tmp/ex.py":9:87 to :90)
#loc5 = loc("/tmp/ex.py":9:64 to :67)
#loc6 = loc("<lambda>"(#loc2))
#loc7 = loc("<module>"(#loc3))
#loc8 = loc("<lambda>.<locals>.<lambda>"(#loc4))
#loc9 = loc("<lambda>.<locals>.<lambda>"(#loc5))
#loc10 = loc(callsite(#loc6 at #loc7))
#loc11 = loc("jit(<lambda>)"(#loc7))
#loc12 = loc("jit(<lambda>)/platform_index"(#loc10))
#loc13 = loc("jit(<lambda>)/cond"(#loc10))
#loc14 = loc(callsite(#loc8 at #loc10))
#loc15 = loc(callsite(#loc9 at #loc10))
#loc16 = loc("jit(<lambda>)/cond/branch_0_fun/sub"(#loc14))
#loc17 = loc("jit(<lambda>)/cond/branch_1_fun/add"(#loc15))
