// XLA:CPU arguments=19148800 outputs=262144 temporaries=6881496 aliased=0 total=26292440
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_forward attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x1024x256xf32>, %arg1: tensor<6x256xf32>, %arg2: tensor<6x256xf32>, %arg3: tensor<6x256x256xf32>, %arg4: tensor<6x256x256xf32>, %arg5: tensor<6x256x256xf32>, %arg6: tensor<6x256x1024xf32>, %arg7: tensor<6x256x256xf32>, %arg8: tensor<256x256xf32>) -> (tensor<256x256xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:10 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2, %iterArg_2 = %arg3, %iterArg_3 = %arg4, %iterArg_4 = %arg5, %iterArg_5 = %arg6, %iterArg_6 = %arg7, %iterArg_7 = %c, %iterArg_8 = %arg8) : tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>, tensor<i32>, tensor<256x256xf32>
    cond {
      %c_9 = stablehlo.constant dense<6> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_7, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<6x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %2 = func.call @dynamic_index_in_dim_0(%iterArg_0, %iterArg_7) : (tensor<6x256xf32>, tensor<i32>) -> tensor<256xf32>
      %3 = func.call @dynamic_index_in_dim_0(%iterArg_1, %iterArg_7) : (tensor<6x256xf32>, tensor<i32>) -> tensor<256xf32>
      %4 = func.call @dynamic_index_in_dim_1(%iterArg_2, %iterArg_7) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %5 = func.call @dynamic_index_in_dim_1(%iterArg_3, %iterArg_7) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %6 = func.call @dynamic_index_in_dim_1(%iterArg_4, %iterArg_7) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %7 = func.call @dynamic_index_in_dim_2(%iterArg_5, %iterArg_7) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %8 = func.call @dynamic_index_in_dim_1(%iterArg_6, %iterArg_7) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %9 = stablehlo.multiply %iterArg_8, %iterArg_8 : tensor<256x256xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
      %cst_9 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %13 = stablehlo.divide %11, %12 : tensor<256x1xf32>
      %cst_10 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %15 = stablehlo.add %13, %14 : tensor<256x1xf32>
      %16 = stablehlo.rsqrt %15 : tensor<256x1xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x256xf32>
      %18 = stablehlo.multiply %iterArg_8, %17 : tensor<256x256xf32>
      %19 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
      %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<256x256xf32>
      %21 = stablehlo.multiply %18, %20 : tensor<256x256xf32>
      %22 = stablehlo.dot_general %21, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %23 = stablehlo.reshape %22 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %24 = stablehlo.transpose %23, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %25 = stablehlo.dot_general %21, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %26 = stablehlo.reshape %25 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %27 = stablehlo.transpose %26, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %28 = stablehlo.dot_general %21, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %29 = stablehlo.reshape %28 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %30 = stablehlo.transpose %29, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %31 = stablehlo.dot_general %24, %27, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x256x32xf32>, tensor<8x256x32xf32>) -> tensor<8x256x256xf32>
      %cst_11 = stablehlo.constant dense<0.176776692> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x256x256xf32>
      %33 = stablehlo.multiply %31, %32 : tensor<8x256x256xf32>
      %c_12 = stablehlo.constant dense<true> : tensor<i1>
      %34 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
      %35 = func.call @tril(%34) : (tensor<256x256xi1>) -> tensor<256x256xi1>
      %cst_13 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %36 = func.call @_where(%35, %33, %cst_13) : (tensor<256x256xi1>, tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256x256xf32>
      %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %37 = stablehlo.reduce(%36 init: %cst_14) applies stablehlo.maximum across dimensions = [2] : (tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256xf32>
      %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x256xf32>
      %39 = stablehlo.maximum %38, %37 : tensor<8x256xf32>
      %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<8x256xf32>) -> tensor<8x256x1xf32>
      %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x256x1xf32>) -> tensor<8x256x256xf32>
      %42 = stablehlo.subtract %36, %41 : tensor<8x256x256xf32>
      %43 = stablehlo.exponential %42 : tensor<8x256x256xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %44 = stablehlo.reduce(%43 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256xf32>
      %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<8x256xf32>) -> tensor<8x256x1xf32>
      %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<8x256x1xf32>) -> tensor<8x256x256xf32>
      %47 = stablehlo.divide %43, %46 : tensor<8x256x256xf32>
      %48 = stablehlo.dot_general %47, %30, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x256x256xf32>, tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
      %49 = stablehlo.transpose %48, dims = [1, 0, 2] : (tensor<8x256x32xf32>) -> tensor<256x8x32xf32>
      %50 = stablehlo.reshape %49 : (tensor<256x8x32xf32>) -> tensor<256x256xf32>
      %51 = stablehlo.dot_general %50, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %52 = stablehlo.add %iterArg_8, %51 : tensor<256x256xf32>
      %53 = stablehlo.multiply %52, %52 : tensor<256x256xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.reduce(%53 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
      %cst_18 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %57 = stablehlo.divide %55, %56 : tensor<256x1xf32>
      %cst_19 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %58 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %59 = stablehlo.add %57, %58 : tensor<256x1xf32>
      %60 = stablehlo.rsqrt %59 : tensor<256x1xf32>
      %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x256xf32>
      %62 = stablehlo.multiply %52, %61 : tensor<256x256xf32>
      %63 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
      %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<256x256xf32>
      %65 = stablehlo.multiply %62, %64 : tensor<256x256xf32>
      %66 = stablehlo.dot_general %65, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
      %67 = stablehlo.multiply %66, %66 : tensor<256x1024xf32>
      %68 = stablehlo.multiply %67, %66 : tensor<256x1024xf32>
      %cst_20 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %70 = stablehlo.multiply %69, %68 : tensor<256x1024xf32>
      %71 = stablehlo.add %66, %70 : tensor<256x1024xf32>
      %cst_21 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %72 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %73 = stablehlo.multiply %72, %71 : tensor<256x1024xf32>
      %74 = stablehlo.tanh %73 : tensor<256x1024xf32>
      %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %75 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %76 = stablehlo.add %75, %74 : tensor<256x1024xf32>
      %cst_23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %77 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %78 = stablehlo.multiply %77, %76 : tensor<256x1024xf32>
      %79 = stablehlo.multiply %66, %78 : tensor<256x1024xf32>
      %80 = stablehlo.dot_general %79, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x256xf32>) -> tensor<256x256xf32>
      %81 = stablehlo.add %52, %80 : tensor<256x256xf32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %82 = stablehlo.add %iterArg_7, %c_24 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6, %82, %81 : tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>, tensor<i32>, tensor<256x256xf32>
    }
    return %0#9 : tensor<256x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x1024x256xf32>, %arg1: tensor<i32>) -> tensor<1024x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1024, 256] : (tensor<6x1024x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1024x256xf32>) -> tensor<1024x256xf32>
    return %1 : tensor<1024x256xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x256xf32>, %arg1: tensor<i32>) -> tensor<256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 256] : (tensor<6x256xf32>, tensor<i32>, tensor<i32>) -> tensor<1x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256xf32>) -> tensor<256xf32>
    return %1 : tensor<256xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6x256x256xf32>, %arg1: tensor<i32>) -> tensor<256x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 256] : (tensor<6x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x256xf32>) -> tensor<256x256xf32>
    return %1 : tensor<256x256xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<6x256x1024xf32>, %arg1: tensor<i32>) -> tensor<256x1024xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 1024] : (tensor<6x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x1024xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x1024xf32>) -> tensor<256x1024xf32>
    return %1 : tensor<256x1024xf32>
  }
  func.func private @tril(%arg0: tensor<256x256xi1>) -> tensor<256x256xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<256x256xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<256x256xi32>
    %2 = stablehlo.add %0, %1 : tensor<256x256xi32>
    %3 = stablehlo.iota dim = 1 : tensor<256x256xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<256x256xi1>, tensor<256x256xi1>
    return %6 : tensor<256x256xi1>
  }
  func.func private @_where(%arg0: tensor<256x256xi1>, %arg1: tensor<8x256x256xf32>, %arg2: tensor<f32>) -> tensor<8x256x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<256x256xi1>) -> tensor<8x256x256xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x256x256xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<8x256x256xi1>, tensor<8x256x256xf32>
    return %2 : tensor<8x256x256xf32>
  }
}
