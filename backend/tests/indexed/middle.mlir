module @jit_middle attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x300x5xf32>, %arg1: tensor<1200xi32>) -> (tensor<3x1200x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<1200xi32>
    %c = stablehlo.constant dense<331> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<1200xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %4 = stablehlo.multiply %0, %3 : tensor<1200xi32>
    %5 = stablehlo.add %2, %4 : tensor<1200xi32>
    %c_1 = stablehlo.constant dense<300> : tensor<i32>
    %6 = call @remainder(%5, %c_1) : (tensor<1200xi32>, tensor<i32>) -> tensor<1200xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %8 = stablehlo.subtract %6, %7 : tensor<1200xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<1200xi32>, tensor<1200xi32>) -> tensor<1200xi1>
    %c_4 = stablehlo.constant dense<300> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %12 = stablehlo.add %8, %11 : tensor<1200xi32>
    %13 = stablehlo.select %10, %12, %8 : tensor<1200xi1>, tensor<1200xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<1200xi32>) -> tensor<1200x1xi32>
    %15 = "stablehlo.gather"(%arg0, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1, 5>}> : (tensor<3x300x5xf32>, tensor<1200x1xi32>) -> tensor<3x1200x5xf32>
    return %15 : tensor<3x1200x5xf32>
  }
  func.func private @remainder(%arg0: tensor<1200xi32>, %arg1: tensor<i32>) -> tensor<1200xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<1200xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<1200xi32>, tensor<1200xi32>) -> tensor<1200xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<1200xi32>, tensor<1200xi32>) -> tensor<1200xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<1200xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<1200xi1>, tensor<1200xi1>) -> tensor<1200xi1>
    %12 = stablehlo.and %11, %6 : tensor<1200xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1200xi32>
    %14 = stablehlo.add %4, %13 : tensor<1200xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<1200xi1>, tensor<1200xi32>
    return %15 : tensor<1200xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
