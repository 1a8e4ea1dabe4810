module @jit_count attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1500xi32>) -> (tensor<64xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64xi32>
    %1 = stablehlo.iota dim = 0 : tensor<1500xi32>
    %c_0 = stablehlo.constant dense<331> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %3 = stablehlo.multiply %arg0, %2 : tensor<1500xi32>
    %c_1 = stablehlo.constant dense<7> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %5 = stablehlo.multiply %1, %4 : tensor<1500xi32>
    %6 = stablehlo.add %3, %5 : tensor<1500xi32>
    %c_2 = stablehlo.constant dense<82> : tensor<i32>
    %7 = call @remainder(%6, %c_2) : (tensor<1500xi32>, tensor<i32>) -> tensor<1500xi32>
    %c_3 = stablehlo.constant dense<9> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %9 = stablehlo.subtract %7, %8 : tensor<1500xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %11 = stablehlo.compare LT, %9, %10, SIGNED : (tensor<1500xi32>, tensor<1500xi32>) -> tensor<1500xi1>
    %c_5 = stablehlo.constant dense<64> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %13 = stablehlo.add %9, %12 : tensor<1500xi32>
    %14 = stablehlo.select %11, %13, %9 : tensor<1500xi1>, tensor<1500xi32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<1500xi32>) -> tensor<1500x1xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %17 = "stablehlo.scatter"(%0, %15, %16) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %18 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %18 : tensor<i32>
    }) : (tensor<64xi32>, tensor<1500x1xi32>, tensor<1500xi32>) -> tensor<64xi32>
    return %17 : tensor<64xi32>
  }
  func.func private @remainder(%arg0: tensor<1500xi32>, %arg1: tensor<i32>) -> tensor<1500xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<1500xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<1500xi32>, tensor<1500xi32>) -> tensor<1500xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<1500xi32>, tensor<1500xi32>) -> tensor<1500xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<1500xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<1500xi1>, tensor<1500xi1>) -> tensor<1500xi1>
    %12 = stablehlo.and %11, %6 : tensor<1500xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1500xi32>
    %14 = stablehlo.add %4, %13 : tensor<1500xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<1500xi1>, tensor<1500xi32>
    return %15 : tensor<1500xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
