// XLA:CPU arguments=14561280 outputs=393216 temporaries=7077888 aliased=0 total=22032384
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x768xbf16>, %arg1: tensor<768x2304xbf16>, %arg2: tensor<768x768xbf16>, %arg3: tensor<768x3072xbf16>, %arg4: tensor<3072x768xbf16>, %arg5: tensor<768xf32>, %arg6: tensor<768xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768xf32>) -> (tensor<256x768xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<256x768xbf16>) -> tensor<256x768xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_0 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<256x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<256x768xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<256x768xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_2 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<256x1xf32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %13 = stablehlo.subtract %0, %12 : tensor<256x768xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<256x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<256x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<256x768xf32>
    %19 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %21 = stablehlo.multiply %18, %20 : tensor<256x768xf32>
    %22 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %24 = stablehlo.add %21, %23 : tensor<256x768xf32>
    %25 = stablehlo.convert %24 : (tensor<256x768xf32>) -> tensor<256x768xbf16>
    %26 = stablehlo.dot_general %25, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x768xbf16>, tensor<768x2304xbf16>) -> tensor<256x2304xbf16>
    %27 = stablehlo.slice %26 [0:256, 0:768] : (tensor<256x2304xbf16>) -> tensor<256x768xbf16>
    %28 = stablehlo.slice %26 [0:256, 768:1536] : (tensor<256x2304xbf16>) -> tensor<256x768xbf16>
    %29 = stablehlo.slice %26 [0:256, 1536:2304] : (tensor<256x2304xbf16>) -> tensor<256x768xbf16>
    %30 = stablehlo.reshape %27 : (tensor<256x768xbf16>) -> tensor<256x12x64xbf16>
    %31 = stablehlo.transpose %30, dims = [1, 0, 2] : (tensor<256x12x64xbf16>) -> tensor<12x256x64xbf16>
    %32 = stablehlo.reshape %28 : (tensor<256x768xbf16>) -> tensor<256x12x64xbf16>
    %33 = stablehlo.transpose %32, dims = [1, 0, 2] : (tensor<256x12x64xbf16>) -> tensor<12x256x64xbf16>
    %34 = stablehlo.reshape %29 : (tensor<256x768xbf16>) -> tensor<256x12x64xbf16>
    %35 = stablehlo.transpose %34, dims = [1, 0, 2] : (tensor<256x12x64xbf16>) -> tensor<12x256x64xbf16>
    %36 = stablehlo.dot_general %31, %33, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<12x256x64xbf16>, tensor<12x256x64xbf16>) -> tensor<12x256x256xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12x256x256xf32>
    %38 = stablehlo.divide %36, %37 : tensor<12x256x256xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %39 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
    %40 = call @tril(%39) : (tensor<256x256xi1>) -> tensor<256x256xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %41 = call @_where(%40, %38, %cst_5) : (tensor<256x256xi1>, tensor<12x256x256xf32>, tensor<f32>) -> tensor<12x256x256xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<12x256x256xf32>, tensor<f32>) -> tensor<12x256xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12x256xf32>
    %44 = stablehlo.maximum %43, %42 : tensor<12x256xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<12x256xf32>) -> tensor<12x256x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<12x256x1xf32>) -> tensor<12x256x256xf32>
    %47 = stablehlo.subtract %41, %46 : tensor<12x256x256xf32>
    %48 = stablehlo.exponential %47 : tensor<12x256x256xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<12x256x256xf32>, tensor<f32>) -> tensor<12x256xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<12x256xf32>) -> tensor<12x256x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<12x256x1xf32>) -> tensor<12x256x256xf32>
    %52 = stablehlo.divide %48, %51 : tensor<12x256x256xf32>
    %53 = stablehlo.convert %52 : (tensor<12x256x256xf32>) -> tensor<12x256x256xbf16>
    %54 = stablehlo.dot_general %53, %35, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<12x256x256xbf16>, tensor<12x256x64xbf16>) -> tensor<12x256x64xbf16>
    %55 = stablehlo.transpose %54, dims = [1, 0, 2] : (tensor<12x256x64xbf16>) -> tensor<256x12x64xbf16>
    %56 = stablehlo.reshape %55 : (tensor<256x12x64xbf16>) -> tensor<256x768xbf16>
    %57 = stablehlo.dot_general %56, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x768xbf16>, tensor<768x768xbf16>) -> tensor<256x768xbf16>
    %58 = stablehlo.add %arg0, %57 : tensor<256x768xbf16>
    %59 = stablehlo.convert %58 : (tensor<256x768xbf16>) -> tensor<256x768xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_10 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %63 = stablehlo.divide %61, %62 : tensor<256x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %65 = stablehlo.subtract %59, %64 : tensor<256x768xf32>
    %66 = stablehlo.multiply %65, %65 : tensor<256x768xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %cst_12 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %70 = stablehlo.divide %68, %69 : tensor<256x1xf32>
    %71 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %72 = stablehlo.subtract %59, %71 : tensor<256x768xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %74 = stablehlo.add %70, %73 : tensor<256x1xf32>
    %75 = stablehlo.rsqrt %74 : tensor<256x1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x768xf32>
    %77 = stablehlo.multiply %72, %76 : tensor<256x768xf32>
    %78 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %80 = stablehlo.multiply %77, %79 : tensor<256x768xf32>
    %81 = stablehlo.broadcast_in_dim %arg8, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<1x768xf32>) -> tensor<256x768xf32>
    %83 = stablehlo.add %80, %82 : tensor<256x768xf32>
    %84 = stablehlo.convert %83 : (tensor<256x768xf32>) -> tensor<256x768xbf16>
    %85 = stablehlo.dot_general %84, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x768xbf16>, tensor<768x3072xbf16>) -> tensor<256x3072xbf16>
    %86 = stablehlo.multiply %85, %85 : tensor<256x3072xbf16>
    %87 = stablehlo.multiply %86, %85 : tensor<256x3072xbf16>
    %cst_14 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %88 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<256x3072xbf16>
    %89 = stablehlo.multiply %88, %87 : tensor<256x3072xbf16>
    %90 = stablehlo.add %85, %89 : tensor<256x3072xbf16>
    %cst_15 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %91 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<256x3072xbf16>
    %92 = stablehlo.multiply %91, %90 : tensor<256x3072xbf16>
    %93 = stablehlo.tanh %92 : tensor<256x3072xbf16>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %94 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<256x3072xbf16>
    %95 = stablehlo.add %94, %93 : tensor<256x3072xbf16>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %96 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<256x3072xbf16>
    %97 = stablehlo.multiply %96, %95 : tensor<256x3072xbf16>
    %98 = stablehlo.multiply %85, %97 : tensor<256x3072xbf16>
    %99 = stablehlo.dot_general %98, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x3072xbf16>, tensor<3072x768xbf16>) -> tensor<256x768xbf16>
    %100 = stablehlo.add %58, %99 : tensor<256x768xbf16>
    return %100 : tensor<256x768xbf16>
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
