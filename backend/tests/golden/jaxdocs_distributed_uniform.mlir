// jax-ml/jax docs/notebooks/Distributed_arrays_and_automatic_parallelization.ipynb
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %r:1 = call @program() : () -> (tensor<24xf32>)
    check.expect_eq_const %r#0, dense<"0x049C393F5837ED3F4AF03E40045445402D108140204EAF408581C540B514F64037A50941F3F51C4129C82D41BD853E41A9494541934C5741D9EF6C41915C7F41688A8041F4EA8D410DAF92414BB69B41491FA341ACEEA84172DDB6411AC9B941"> : tensor<24xf32>
    return
  }
  func.func private @program() -> (tensor<24xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<24xi32>
    %c = stablehlo.constant dense<42> : tensor<i32>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %1 = stablehlo.shift_right_logical %c, %c_0 : tensor<i32>
    %2 = stablehlo.convert %1 : (tensor<i32>) -> tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %4 = stablehlo.and %c, %c_1 : tensor<i32>
    %5 = stablehlo.convert %4 : (tensor<i32>) -> tensor<ui32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %7 = stablehlo.concatenate %3, %6, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = call @_uniform(%7, %cst, %cst_2) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<24xf32>
    %9 = stablehlo.convert %0 : (tensor<24xi32>) -> tensor<24xf32>
    %10 = stablehlo.add %9, %8 : tensor<24xf32>
    return %10 : tensor<24xf32>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<24xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.iota dim = 0 : tensor<24xui32>
    %5 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %6 = stablehlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
    %7 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %8 = stablehlo.reshape %7 : (tensor<1xui32>) -> tensor<ui32>
    %9 = stablehlo.slice %4 [0:12] : (tensor<24xui32>) -> tensor<12xui32>
    %10 = stablehlo.slice %4 [12:24] : (tensor<24xui32>) -> tensor<12xui32>
    %11:2 = call @threefry2x32(%6, %8, %9, %10) : (tensor<ui32>, tensor<ui32>, tensor<12xui32>, tensor<12xui32>) -> (tensor<12xui32>, tensor<12xui32>)
    %12 = stablehlo.concatenate %11#0, %11#1, dim = 0 : (tensor<12xui32>, tensor<12xui32>) -> tensor<24xui32>
    %c = stablehlo.constant dense<9> : tensor<ui32>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<24xui32>
    %14 = stablehlo.shift_right_logical %12, %13 : tensor<24xui32>
    %c_0 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<24xui32>
    %16 = stablehlo.or %14, %15 : tensor<24xui32>
    %17 = stablehlo.bitcast_convert %16 : (tensor<24xui32>) -> tensor<24xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %19 = stablehlo.subtract %17, %18 : tensor<24xf32>
    %20 = stablehlo.subtract %3, %2 : tensor<1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<1xf32>) -> tensor<24xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<24xf32>
    %23 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<24xf32>
    %24 = stablehlo.add %22, %23 : tensor<24xf32>
    %25 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<24xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<24xf32>
    return %26 : tensor<24xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<12xui32>, %arg3: tensor<12xui32>) -> (tensor<12xui32>, tensor<12xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<12xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<12xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<12xui32>, tensor<12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_4, %c_12 : tensor<i32>
      %8 = stablehlo.slice %iterArg_10 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
      %9 = stablehlo.reshape %8 : (tensor<1xui32>) -> tensor<ui32>
      %10 = stablehlo.slice %iterArg_10 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
      %11 = stablehlo.reshape %10 : (tensor<1xui32>) -> tensor<ui32>
      %12 = stablehlo.slice %iterArg_10 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
      %13 = stablehlo.reshape %12 : (tensor<1xui32>) -> tensor<ui32>
      %14 = stablehlo.slice %iterArg_10 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
      %15 = stablehlo.reshape %14 : (tensor<1xui32>) -> tensor<ui32>
      %16 = stablehlo.add %iterArg_5, %iterArg_6 : tensor<12xui32>
      %17 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %18 = stablehlo.shift_left %iterArg_6, %17 : tensor<12xui32>
      %c_13 = stablehlo.constant dense<32> : tensor<ui32>
      %19 = stablehlo.subtract %c_13, %9 : tensor<ui32>
      %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %21 = stablehlo.shift_right_logical %iterArg_6, %20 : tensor<12xui32>
      %22 = stablehlo.or %18, %21 : tensor<12xui32>
      %23 = stablehlo.xor %16, %22 : tensor<12xui32>
      %24 = stablehlo.add %16, %23 : tensor<12xui32>
      %25 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %26 = stablehlo.shift_left %23, %25 : tensor<12xui32>
      %c_14 = stablehlo.constant dense<32> : tensor<ui32>
      %27 = stablehlo.subtract %c_14, %11 : tensor<ui32>
      %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %29 = stablehlo.shift_right_logical %23, %28 : tensor<12xui32>
      %30 = stablehlo.or %26, %29 : tensor<12xui32>
      %31 = stablehlo.xor %24, %30 : tensor<12xui32>
      %32 = stablehlo.add %24, %31 : tensor<12xui32>
      %33 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %34 = stablehlo.shift_left %31, %33 : tensor<12xui32>
      %c_15 = stablehlo.constant dense<32> : tensor<ui32>
      %35 = stablehlo.subtract %c_15, %13 : tensor<ui32>
      %36 = stablehlo.broadcast_in_dim %35, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %37 = stablehlo.shift_right_logical %31, %36 : tensor<12xui32>
      %38 = stablehlo.or %34, %37 : tensor<12xui32>
      %39 = stablehlo.xor %32, %38 : tensor<12xui32>
      %40 = stablehlo.add %32, %39 : tensor<12xui32>
      %41 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %42 = stablehlo.shift_left %39, %41 : tensor<12xui32>
      %c_16 = stablehlo.constant dense<32> : tensor<ui32>
      %43 = stablehlo.subtract %c_16, %15 : tensor<ui32>
      %44 = stablehlo.broadcast_in_dim %43, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %45 = stablehlo.shift_right_logical %39, %44 : tensor<12xui32>
      %46 = stablehlo.or %42, %45 : tensor<12xui32>
      %47 = stablehlo.xor %40, %46 : tensor<12xui32>
      %48 = stablehlo.broadcast_in_dim %iterArg_7, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %49 = stablehlo.add %40, %48 : tensor<12xui32>
      %50 = stablehlo.broadcast_in_dim %iterArg_8, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %51 = stablehlo.add %47, %50 : tensor<12xui32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %52 = stablehlo.add %iterArg_4, %c_17 : tensor<i32>
      %53 = stablehlo.convert %52 : (tensor<i32>) -> tensor<ui32>
      %54 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<ui32>) -> tensor<12xui32>
      %55 = stablehlo.add %51, %54 : tensor<12xui32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %56 = stablehlo.add %iterArg, %c_18 : tensor<i32>
      stablehlo.return %56, %7, %49, %55, %iterArg_8, %iterArg_9, %iterArg_7, %iterArg_11, %iterArg_10 : tensor<i32>, tensor<i32>, tensor<12xui32>, tensor<12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<12xui32>, tensor<12xui32>
  }
}
