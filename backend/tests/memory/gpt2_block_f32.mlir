// XLA:CPU arguments=29110272 outputs=786432 temporaries=7077888 aliased=0 total=36974592
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x768xf32>, %arg1: tensor<768x2304xf32>, %arg2: tensor<768x768xf32>, %arg3: tensor<768x3072xf32>, %arg4: tensor<3072x768xf32>, %arg5: tensor<768xf32>, %arg6: tensor<768xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768xf32>) -> (tensor<256x768xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_0 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<256x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<256x768xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<256x768xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_2 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<256x1xf32>
    %11 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %12 = stablehlo.subtract %arg0, %11 : tensor<256x768xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %14 = stablehlo.add %10, %13 : tensor<256x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<256x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %17 = stablehlo.multiply %12, %16 : tensor<256x768xf32>
    %18 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<256x768xf32>
    %21 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %23 = stablehlo.add %20, %22 : tensor<256x768xf32>
    %24 = stablehlo.dot_general %23, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x768xf32>, tensor<768x2304xf32>) -> tensor<256x2304xf32>
    %25 = stablehlo.slice %24 [0:256, 0:768] : (tensor<256x2304xf32>) -> tensor<256x768xf32>
    %26 = stablehlo.slice %24 [0:256, 768:1536] : (tensor<256x2304xf32>) -> tensor<256x768xf32>
    %27 = stablehlo.slice %24 [0:256, 1536:2304] : (tensor<256x2304xf32>) -> tensor<256x768xf32>
    %28 = stablehlo.reshape %25 : (tensor<256x768xf32>) -> tensor<256x12x64xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0, 2] : (tensor<256x12x64xf32>) -> tensor<12x256x64xf32>
    %30 = stablehlo.reshape %26 : (tensor<256x768xf32>) -> tensor<256x12x64xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0, 2] : (tensor<256x12x64xf32>) -> tensor<12x256x64xf32>
    %32 = stablehlo.reshape %27 : (tensor<256x768xf32>) -> tensor<256x12x64xf32>
    %33 = stablehlo.transpose %32, dims = [1, 0, 2] : (tensor<256x12x64xf32>) -> tensor<12x256x64xf32>
    %34 = stablehlo.dot_general %29, %31, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<12x256x64xf32>, tensor<12x256x64xf32>) -> tensor<12x256x256xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12x256x256xf32>
    %36 = stablehlo.divide %34, %35 : tensor<12x256x256xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %37 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
    %38 = call @tril(%37) : (tensor<256x256xi1>) -> tensor<256x256xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %39 = call @_where(%38, %36, %cst_5) : (tensor<256x256xi1>, tensor<12x256x256xf32>, tensor<f32>) -> tensor<12x256x256xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<12x256x256xf32>, tensor<f32>) -> tensor<12x256xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12x256xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<12x256xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<12x256xf32>) -> tensor<12x256x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<12x256x1xf32>) -> tensor<12x256x256xf32>
    %45 = stablehlo.subtract %39, %44 : tensor<12x256x256xf32>
    %46 = stablehlo.exponential %45 : tensor<12x256x256xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<12x256x256xf32>, tensor<f32>) -> tensor<12x256xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<12x256xf32>) -> tensor<12x256x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<12x256x1xf32>) -> tensor<12x256x256xf32>
    %50 = stablehlo.divide %46, %49 : tensor<12x256x256xf32>
    %51 = stablehlo.dot_general %50, %33, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<12x256x256xf32>, tensor<12x256x64xf32>) -> tensor<12x256x64xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0, 2] : (tensor<12x256x64xf32>) -> tensor<256x12x64xf32>
    %53 = stablehlo.reshape %52 : (tensor<256x12x64xf32>) -> tensor<256x768xf32>
    %54 = stablehlo.dot_general %53, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x768xf32>, tensor<768x768xf32>) -> tensor<256x768xf32>
    %55 = stablehlo.add %arg0, %54 : tensor<256x768xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_10 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %59 = stablehlo.divide %57, %58 : tensor<256x1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %61 = stablehlo.subtract %55, %60 : tensor<256x768xf32>
    %62 = stablehlo.multiply %61, %61 : tensor<256x768xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_12 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %66 = stablehlo.divide %64, %65 : tensor<256x1xf32>
    %67 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %68 = stablehlo.subtract %55, %67 : tensor<256x768xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %70 = stablehlo.add %66, %69 : tensor<256x1xf32>
    %71 = stablehlo.rsqrt %70 : tensor<256x1xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %73 = stablehlo.multiply %68, %72 : tensor<256x768xf32>
    %74 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %76 = stablehlo.multiply %73, %75 : tensor<256x768xf32>
    %77 = stablehlo.broadcast_in_dim %arg8, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %79 = stablehlo.add %76, %78 : tensor<256x768xf32>
    %80 = stablehlo.dot_general %79, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x768xf32>, tensor<768x3072xf32>) -> tensor<256x3072xf32>
    %81 = stablehlo.multiply %80, %80 : tensor<256x3072xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<256x3072xf32>
    %cst_14 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<256x3072xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<256x3072xf32>
    %85 = stablehlo.add %80, %84 : tensor<256x3072xf32>
    %cst_15 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<256x3072xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<256x3072xf32>
    %88 = stablehlo.tanh %87 : tensor<256x3072xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<256x3072xf32>
    %90 = stablehlo.add %89, %88 : tensor<256x3072xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<256x3072xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<256x3072xf32>
    %93 = stablehlo.multiply %80, %92 : tensor<256x3072xf32>
    %94 = stablehlo.dot_general %93, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x3072xf32>, tensor<3072x768xf32>) -> tensor<256x768xf32>
    %95 = stablehlo.add %55, %94 : tensor<256x768xf32>
    return %95 : tensor<256x768xf32>
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
  func.func private @_where(%arg0: tensor<256x256xi1>, %arg1: tensor<12x256x256xf32>, %arg2: tensor<f32>) -> tensor<12x256x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<256x256xi1>) -> tensor<12x256x256xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<12x256x256xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<12x256x256xi1>, tensor<12x256x256xf32>
    return %2 : tensor<12x256x256xf32>
  }
}
