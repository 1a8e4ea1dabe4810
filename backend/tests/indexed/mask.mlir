module @jit_mask attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x8xf32>, %arg1: tensor<100x8xi1>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<20x8xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_where(%arg1, %arg0, %c) : (tensor<100x8xi1>, tensor<100x8xf32>, tensor<i32>) -> tensor<100x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<100x8xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.slice %arg1 [0:100, 0:1] : (tensor<100x8xi1>) -> tensor<100x1xi1>
    %3 = stablehlo.reshape %2 : (tensor<100x1xi1>) -> tensor<100xi1>
    %4 = call @cumsum(%3) : (tensor<100xi1>) -> tensor<100xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %7 = stablehlo.compare LT, %4, %6, SIGNED : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
    %c_2 = stablehlo.constant dense<20> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %9 = stablehlo.add %4, %8 : tensor<100xi32>
    %10 = stablehlo.select %7, %9, %4 : tensor<100xi1>, tensor<100xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<100xi32>) -> tensor<100x1xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %13 = "stablehlo.scatter"(%5, %11, %12) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %32 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %32 : tensor<i32>
    }) : (tensor<20xi32>, tensor<100x1xi32>, tensor<100xi32>) -> tensor<20xi32>
    %14 = call @cumsum_1(%13) : (tensor<20xi32>) -> tensor<20xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %15 = call @floor_divide(%14, %c_4) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
    %c_5 = stablehlo.constant dense<100> : tensor<i32>
    %16 = call @remainder(%15, %c_5) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
    %17 = stablehlo.convert %3 : (tensor<100xi1>) -> tensor<100xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.reduce(%17 init: %c_6) applies stablehlo.add across dimensions = [0] : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.iota dim = 0 : tensor<20xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<1xi32>) -> tensor<20xi32>
    %22 = stablehlo.compare GE, %20, %21, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %24 = call @_where_5(%22, %23, %16) : (tensor<20xi1>, tensor<1xi32>, tensor<20xi32>) -> tensor<20xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %26 = stablehlo.compare LT, %24, %25, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_9 = stablehlo.constant dense<100> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %28 = stablehlo.add %24, %27 : tensor<20xi32>
    %29 = stablehlo.select %26, %28, %24 : tensor<20xi1>, tensor<20xi32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %31 = "stablehlo.gather"(%arg0, %30) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<100x8xf32>, tensor<20x1xi32>) -> tensor<20x8xf32>
    return %1, %31 : tensor<f32>, tensor<20x8xf32>
  }
  func.func private @_where(%arg0: tensor<100x8xi1>, %arg1: tensor<100x8xf32>, %arg2: tensor<i32>) -> tensor<100x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<100x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<100x8xi1>, tensor<100x8xf32>
    return %2 : tensor<100x8xf32>
  }
  func.func private @cumsum(%arg0: tensor<100xi1>) -> tensor<100xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<100xi1>) -> tensor<100xi32>
    %1 = call @cumsum_0(%0) : (tensor<100xi32>) -> tensor<100xi32>
    return %1 : tensor<100xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<100xi32>) -> tensor<100xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[99, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 100>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<100xi32>, tensor<i32>) -> tensor<100xi32>
    return %1 : tensor<100xi32>
  }
  func.func private @cumsum_1(%arg0: tensor<20xi32>) -> tensor<20xi32> {
    %0 = call @cumsum_2(%arg0) : (tensor<20xi32>) -> tensor<20xi32>
    return %0 : tensor<20xi32>
  }
  func.func private @cumsum_2(%arg0: tensor<20xi32>) -> tensor<20xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[19, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 20>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
    return %1 : tensor<20xi32>
  }
  func.func private @floor_divide(%arg0: tensor<20xi32>, %arg1: tensor<i32>) -> tensor<20xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<20xi32>
    %3 = stablehlo.sign %arg0 : tensor<20xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<20xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %11 = stablehlo.and %6, %10 : tensor<20xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<20xi32>
    %14 = call @_where_3(%11, %13, %2) : (tensor<20xi1>, tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
    return %14 : tensor<20xi32>
  }
  func.func private @_where_3(%arg0: tensor<20xi1>, %arg1: tensor<20xi32>, %arg2: tensor<20xi32>) -> tensor<20xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<20xi1>, tensor<20xi32>
    return %0 : tensor<20xi32>
  }
  func.func private @remainder(%arg0: tensor<20xi32>, %arg1: tensor<i32>) -> tensor<20xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_4(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<20xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<20xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<20xi1>, tensor<20xi1>) -> tensor<20xi1>
    %12 = stablehlo.and %11, %6 : tensor<20xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %14 = stablehlo.add %4, %13 : tensor<20xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<20xi1>, tensor<20xi32>
    return %15 : tensor<20xi32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_5(%arg0: tensor<20xi1>, %arg1: tensor<1xi32>, %arg2: tensor<20xi32>) -> tensor<20xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<1xi32>) -> tensor<20xi32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<20xi1>, tensor<20xi32>
    return %1 : tensor<20xi32>
  }
}
