module @jit_add_two_indices_rows attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<70x3x50xf32>, %arg1: tensor<500xi32>, %arg2: tensor<500xi32>, %arg3: tensor<500x3xf32>) -> (tensor<70x3x50xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<500xi32>
    %c = stablehlo.constant dense<331> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<500xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %4 = stablehlo.multiply %0, %3 : tensor<500xi32>
    %5 = stablehlo.add %2, %4 : tensor<500xi32>
    %c_1 = stablehlo.constant dense<88> : tensor<i32>
    %6 = call @remainder(%5, %c_1) : (tensor<500xi32>, tensor<i32>) -> tensor<500xi32>
    %c_2 = stablehlo.constant dense<9> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %8 = stablehlo.subtract %6, %7 : tensor<500xi32>
    %9 = stablehlo.iota dim = 0 : tensor<500xi32>
    %c_3 = stablehlo.constant dense<331> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %11 = stablehlo.multiply %arg2, %10 : tensor<500xi32>
    %c_4 = stablehlo.constant dense<7> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %13 = stablehlo.multiply %9, %12 : tensor<500xi32>
    %14 = stablehlo.add %11, %13 : tensor<500xi32>
    %c_5 = stablehlo.constant dense<68> : tensor<i32>
    %15 = call @remainder(%14, %c_5) : (tensor<500xi32>, tensor<i32>) -> tensor<500xi32>
    %c_6 = stablehlo.constant dense<9> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %17 = stablehlo.subtract %15, %16 : tensor<500xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %19 = stablehlo.compare LT, %8, %18, SIGNED : (tensor<500xi32>, tensor<500xi32>) -> tensor<500xi1>
    %c_8 = stablehlo.constant dense<70> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %21 = stablehlo.add %8, %20 : tensor<500xi32>
    %22 = stablehlo.select %19, %21, %8 : tensor<500xi1>, tensor<500xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %24 = stablehlo.compare LT, %17, %23, SIGNED : (tensor<500xi32>, tensor<500xi32>) -> tensor<500xi1>
    %c_10 = stablehlo.constant dense<50> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %26 = stablehlo.add %17, %25 : tensor<500xi32>
    %27 = stablehlo.select %24, %26, %17 : tensor<500xi1>, tensor<500xi32>
    %28 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<500xi32>) -> tensor<500x1xi32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<500xi32>) -> tensor<500x1xi32>
    %30 = stablehlo.concatenate %28, %29, dim = 1 : (tensor<500x1xi32>, tensor<500x1xi32>) -> tensor<500x2xi32>
    %31 = "stablehlo.scatter"(%arg0, %30, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %32 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %32 : tensor<f32>
    }) : (tensor<70x3x50xf32>, tensor<500x2xi32>, tensor<500x3xf32>) -> tensor<70x3x50xf32>
    return %31 : tensor<70x3x50xf32>
  }
  func.func private @remainder(%arg0: tensor<500xi32>, %arg1: tensor<i32>) -> tensor<500xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<500xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<500xi32>, tensor<500xi32>) -> tensor<500xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<500xi32>, tensor<500xi32>) -> tensor<500xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<500xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<500xi1>, tensor<500xi1>) -> tensor<500xi1>
    %12 = stablehlo.and %11, %6 : tensor<500xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<500xi32>
    %14 = stablehlo.add %4, %13 : tensor<500xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<500xi1>, tensor<500xi32>
    return %15 : tensor<500xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
