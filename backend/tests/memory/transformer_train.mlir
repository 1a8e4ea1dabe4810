// XLA:CPU arguments=44056576 outputs=44052900 temporaries=94377984 aliased=0 total=182487460
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8192x256xf32>, %arg1: tensor<1024x256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256xf32>, %arg4: tensor<256x256xf32>, %arg5: tensor<256x256xf32>, %arg6: tensor<256x256xf32>, %arg7: tensor<256x1024xf32>, %arg8: tensor<256x256xf32>, %arg9: tensor<1024x256xf32>, %arg10: tensor<256xf32>, %arg11: tensor<256xf32>, %arg12: tensor<256x256xf32>, %arg13: tensor<256x256xf32>, %arg14: tensor<256x256xf32>, %arg15: tensor<256x1024xf32>, %arg16: tensor<256x256xf32>, %arg17: tensor<8192x256xf32>, %arg18: tensor<1024x256xf32>, %arg19: tensor<256xf32>, %arg20: tensor<256xf32>, %arg21: tensor<256x256xf32>, %arg22: tensor<256x256xf32>, %arg23: tensor<256x256xf32>, %arg24: tensor<256x1024xf32>, %arg25: tensor<256x256xf32>, %arg26: tensor<1024x256xf32>, %arg27: tensor<256xf32>, %arg28: tensor<256xf32>, %arg29: tensor<256x256xf32>, %arg30: tensor<256x256xf32>, %arg31: tensor<256x256xf32>, %arg32: tensor<256x1024xf32>, %arg33: tensor<256x256xf32>, %arg34: tensor<8192x256xf32>, %arg35: tensor<1024x256xf32>, %arg36: tensor<256xf32>, %arg37: tensor<256xf32>, %arg38: tensor<256x256xf32>, %arg39: tensor<256x256xf32>, %arg40: tensor<256x256xf32>, %arg41: tensor<256x1024xf32>, %arg42: tensor<256x256xf32>, %arg43: tensor<1024x256xf32>, %arg44: tensor<256xf32>, %arg45: tensor<256xf32>, %arg46: tensor<256x256xf32>, %arg47: tensor<256x256xf32>, %arg48: tensor<256x256xf32>, %arg49: tensor<256x1024xf32>, %arg50: tensor<256x256xf32>, %arg51: tensor<512xi32>, %arg52: tensor<512xi32>) -> (tensor<8192x256xf32> {jax.result_info = "result[0]['embed']"}, tensor<1024x256xf32> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][0]['g1']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][0]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][0]['k']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][0]['o']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][0]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][0]['v']"}, tensor<1024x256xf32> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][1]['g1']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][1]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][1]['k']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][1]['o']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][1]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<256x256xf32> {jax.result_info = "result[0]['layers'][1]['v']"}, tensor<8192x256xf32> {jax.result_info = "result[1]['embed']"}, tensor<1024x256xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][0]['g1']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][0]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['k']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['o']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['v']"}, tensor<1024x256xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][1]['g1']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][1]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['k']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['o']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['v']"}, tensor<8192x256xf32> {jax.result_info = "result[2]['embed']"}, tensor<1024x256xf32> {jax.result_info = "result[2]['layers'][0]['down']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][0]['g1']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][0]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['k']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['o']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[2]['layers'][0]['up']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['v']"}, tensor<1024x256xf32> {jax.result_info = "result[2]['layers'][1]['down']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][1]['g1']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][1]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['k']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['o']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[2]['layers'][1]['up']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['v']"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %1 = stablehlo.compare LT, %arg51, %0, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %c_0 = stablehlo.constant dense<8192> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %3 = stablehlo.add %arg51, %2 : tensor<512xi32>
    %4 = stablehlo.select %1, %3, %arg51 : tensor<512xi1>, tensor<512xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<8192x256xf32>, tensor<512x1xi32>) -> tensor<512x256xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<512x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_1 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<512x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<512x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<512x1xf32>
    %15 = stablehlo.divide %14, %13 : tensor<512x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<512x1xf32>
    %18 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %19 = stablehlo.multiply %6, %18 : tensor<512x256xf32>
    %20 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<512x256xf32>
    %23 = stablehlo.dot_general %22, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %24 = stablehlo.reshape %23 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %26 = stablehlo.dot_general %22, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %27 = stablehlo.reshape %26 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %28 = stablehlo.transpose %27, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %29 = stablehlo.dot_general %22, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %30 = stablehlo.reshape %29 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %32 = stablehlo.dot_general %25, %28, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xf32>, tensor<8x512x32xf32>) -> tensor<8x512x512xf32>
    %cst_4 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x512x512xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<8x512x512xf32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %35 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %36 = call @tril(%35) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %37:2 = call @_where(%36, %34, %cst_6) : (tensor<512x512xi1>, tensor<8x512x512xf32>, tensor<f32>) -> (tensor<8x512x512xf32>, tensor<8x512x512xi1>)
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.reduce(%37#0 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x512xf32>
    %40 = stablehlo.maximum %39, %38 : tensor<8x512xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %43 = stablehlo.subtract %37#0, %42 : tensor<8x512x512xf32>
    %44 = stablehlo.exponential %43 : tensor<8x512x512xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %48 = stablehlo.divide %44, %47 : tensor<8x512x512xf32>
    %49 = stablehlo.multiply %46, %46 : tensor<8x512x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x512x1xf32>
    %51 = stablehlo.divide %50, %49 : tensor<8x512x1xf32>
    %52 = stablehlo.dot_general %48, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
    %53 = stablehlo.transpose %52, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %54 = stablehlo.reshape %53 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %55 = stablehlo.dot_general %54, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %56 = stablehlo.add %6, %55 : tensor<512x256xf32>
    %57 = stablehlo.multiply %56, %56 : tensor<512x256xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_12 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %61 = stablehlo.divide %59, %60 : tensor<512x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %63 = stablehlo.add %61, %62 : tensor<512x1xf32>
    %64 = stablehlo.rsqrt %63 : tensor<512x1xf32>
    %65 = stablehlo.divide %64, %63 : tensor<512x1xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<512x1xf32>
    %68 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %69 = stablehlo.multiply %56, %68 : tensor<512x256xf32>
    %70 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %72 = stablehlo.multiply %69, %71 : tensor<512x256xf32>
    %73 = stablehlo.dot_general %72, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
    %74 = stablehlo.multiply %73, %73 : tensor<512x1024xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<512x1024xf32>
    %76 = stablehlo.multiply %73, %73 : tensor<512x1024xf32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %78 = stablehlo.multiply %77, %76 : tensor<512x1024xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %80 = stablehlo.multiply %79, %75 : tensor<512x1024xf32>
    %81 = stablehlo.add %73, %80 : tensor<512x1024xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<512x1024xf32>
    %84 = stablehlo.tanh %83 : tensor<512x1024xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %86 = stablehlo.add %85, %84 : tensor<512x1024xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %88 = stablehlo.subtract %87, %84 : tensor<512x1024xf32>
    %89 = stablehlo.multiply %86, %88 : tensor<512x1024xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %91 = stablehlo.add %90, %84 : tensor<512x1024xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<512x1024xf32>
    %94 = stablehlo.multiply %73, %93 : tensor<512x1024xf32>
    %95 = stablehlo.dot_general %94, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<1024x256xf32>) -> tensor<512x256xf32>
    %96 = stablehlo.add %56, %95 : tensor<512x256xf32>
    %97 = stablehlo.multiply %96, %96 : tensor<512x256xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_23 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %101 = stablehlo.divide %99, %100 : tensor<512x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %103 = stablehlo.add %101, %102 : tensor<512x1xf32>
    %104 = stablehlo.rsqrt %103 : tensor<512x1xf32>
    %105 = stablehlo.divide %104, %103 : tensor<512x1xf32>
    %cst_25 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %107 = stablehlo.multiply %106, %105 : tensor<512x1xf32>
    %108 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %109 = stablehlo.multiply %96, %108 : tensor<512x256xf32>
    %110 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %112 = stablehlo.multiply %109, %111 : tensor<512x256xf32>
    %113 = stablehlo.dot_general %112, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %114 = stablehlo.reshape %113 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %115 = stablehlo.transpose %114, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %116 = stablehlo.dot_general %112, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %117 = stablehlo.reshape %116 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %118 = stablehlo.transpose %117, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %119 = stablehlo.dot_general %112, %arg16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %120 = stablehlo.reshape %119 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %121 = stablehlo.transpose %120, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %122 = stablehlo.dot_general %115, %118, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xf32>, tensor<8x512x32xf32>) -> tensor<8x512x512xf32>
    %cst_26 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x512x512xf32>
    %124 = stablehlo.multiply %122, %123 : tensor<8x512x512xf32>
    %c_27 = stablehlo.constant dense<true> : tensor<i1>
    %125 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %126 = call @tril(%125) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %cst_28 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %127:2 = call @_where(%126, %124, %cst_28) : (tensor<512x512xi1>, tensor<8x512x512xf32>, tensor<f32>) -> (tensor<8x512x512xf32>, tensor<8x512x512xi1>)
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %128 = stablehlo.reduce(%127#0 init: %cst_29) applies stablehlo.maximum across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x512xf32>
    %130 = stablehlo.maximum %129, %128 : tensor<8x512xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %133 = stablehlo.subtract %127#0, %132 : tensor<8x512x512xf32>
    %134 = stablehlo.exponential %133 : tensor<8x512x512xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.reduce(%134 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %138 = stablehlo.divide %134, %137 : tensor<8x512x512xf32>
    %139 = stablehlo.multiply %136, %136 : tensor<8x512x1xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x512x1xf32>
    %141 = stablehlo.divide %140, %139 : tensor<8x512x1xf32>
    %142 = stablehlo.dot_general %138, %121, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
    %143 = stablehlo.transpose %142, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %144 = stablehlo.reshape %143 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %145 = stablehlo.dot_general %144, %arg13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %146 = stablehlo.add %96, %145 : tensor<512x256xf32>
    %147 = stablehlo.multiply %146, %146 : tensor<512x256xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_34 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %151 = stablehlo.divide %149, %150 : tensor<512x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %153 = stablehlo.add %151, %152 : tensor<512x1xf32>
    %154 = stablehlo.rsqrt %153 : tensor<512x1xf32>
    %155 = stablehlo.divide %154, %153 : tensor<512x1xf32>
    %cst_36 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %157 = stablehlo.multiply %156, %155 : tensor<512x1xf32>
    %158 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %159 = stablehlo.multiply %146, %158 : tensor<512x256xf32>
    %160 = stablehlo.broadcast_in_dim %arg11, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %162 = stablehlo.multiply %159, %161 : tensor<512x256xf32>
    %163 = stablehlo.dot_general %162, %arg15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
    %164 = stablehlo.multiply %163, %163 : tensor<512x1024xf32>
    %165 = stablehlo.multiply %164, %163 : tensor<512x1024xf32>
    %166 = stablehlo.multiply %163, %163 : tensor<512x1024xf32>
    %cst_37 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %168 = stablehlo.multiply %167, %166 : tensor<512x1024xf32>
    %cst_38 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %170 = stablehlo.multiply %169, %165 : tensor<512x1024xf32>
    %171 = stablehlo.add %163, %170 : tensor<512x1024xf32>
    %cst_39 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %173 = stablehlo.multiply %172, %171 : tensor<512x1024xf32>
    %174 = stablehlo.tanh %173 : tensor<512x1024xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %176 = stablehlo.add %175, %174 : tensor<512x1024xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %178 = stablehlo.subtract %177, %174 : tensor<512x1024xf32>
    %179 = stablehlo.multiply %176, %178 : tensor<512x1024xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %181 = stablehlo.add %180, %174 : tensor<512x1024xf32>
    %cst_43 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %183 = stablehlo.multiply %182, %181 : tensor<512x1024xf32>
    %184 = stablehlo.multiply %163, %183 : tensor<512x1024xf32>
    %185 = stablehlo.dot_general %184, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<1024x256xf32>) -> tensor<512x256xf32>
    %186 = stablehlo.add %146, %185 : tensor<512x256xf32>
    %187 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8192x256xf32>) -> tensor<256x8192xf32>
    %188 = stablehlo.dot_general %186, %187, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x8192xf32>) -> tensor<512x8192xf32>
    %189:3 = call @log_softmax(%188) : (tensor<512x8192xf32>) -> (tensor<512x8192xf32>, tensor<512x8192xf32>, tensor<512x1xf32>)
    %190 = stablehlo.broadcast_in_dim %arg52, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %191:2 = call @take_along_axis(%189#0, %190) : (tensor<512x8192xf32>, tensor<512x1xi32>) -> (tensor<512x1xf32>, tensor<512x1x1xi32>)
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191#0 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_45 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %193 = stablehlo.divide %192, %cst_45 : tensor<f32>
    %194 = stablehlo.negate %193 : tensor<f32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.negate %cst_46 : tensor<f32>
    %cst_47 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %196 = stablehlo.divide %195, %cst_47 : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %198 = call @take_along_axis_0(%191#1, %197) : (tensor<512x1x1xi32>, tensor<512x1xf32>) -> tensor<512x8192xf32>
    %199 = call @log_softmax_1(%189#1, %189#2, %198) : (tensor<512x8192xf32>, tensor<512x1xf32>, tensor<512x8192xf32>) -> tensor<512x8192xf32>
    %200 = stablehlo.dot_general %199, %186, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<512x256xf32>) -> tensor<8192x256xf32>
    %201 = stablehlo.transpose %200, dims = [1, 0] : (tensor<8192x256xf32>) -> tensor<256x8192xf32>
    %202 = stablehlo.dot_general %199, %187, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xf32>, tensor<256x8192xf32>) -> tensor<512x256xf32>
    %203 = stablehlo.transpose %201, dims = [1, 0] : (tensor<256x8192xf32>) -> tensor<8192x256xf32>
    %204 = stablehlo.dot_general %202, %184, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
    %205 = stablehlo.transpose %204, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %206 = stablehlo.dot_general %202, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<1024x256xf32>) -> tensor<512x1024xf32>
    %207 = stablehlo.multiply %163, %206 : tensor<512x1024xf32>
    %208 = stablehlo.multiply %206, %183 : tensor<512x1024xf32>
    %cst_48 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %210 = stablehlo.multiply %209, %207 : tensor<512x1024xf32>
    %211 = stablehlo.multiply %210, %179 : tensor<512x1024xf32>
    %cst_49 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %213 = stablehlo.multiply %212, %211 : tensor<512x1024xf32>
    %214 = stablehlo.add %208, %213 : tensor<512x1024xf32>
    %cst_50 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %216 = stablehlo.multiply %215, %213 : tensor<512x1024xf32>
    %217 = stablehlo.multiply %216, %168 : tensor<512x1024xf32>
    %218 = stablehlo.add %214, %217 : tensor<512x1024xf32>
    %219 = stablehlo.dot_general %218, %162, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
    %220 = stablehlo.transpose %219, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %221 = stablehlo.dot_general %218, %arg15, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<256x1024xf32>) -> tensor<512x256xf32>
    %222 = stablehlo.multiply %159, %221 : tensor<512x256xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.reduce(%222 init: %cst_51) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %224 = stablehlo.reshape %223 : (tensor<256xf32>) -> tensor<1x256xf32>
    %225 = stablehlo.broadcast_in_dim %160, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %226 = stablehlo.multiply %221, %225 : tensor<512x256xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.reduce(%224 init: %cst_52) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %228 = stablehlo.multiply %146, %226 : tensor<512x256xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.reduce(%228 init: %cst_53) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %230 = stablehlo.reshape %229 : (tensor<512xf32>) -> tensor<512x1xf32>
    %231 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %232 = stablehlo.multiply %226, %231 : tensor<512x256xf32>
    %233 = stablehlo.add %202, %232 : tensor<512x256xf32>
    %234 = stablehlo.multiply %230, %157 : tensor<512x1xf32>
    %cst_54 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %236 = stablehlo.divide %234, %235 : tensor<512x1xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%236 init: %cst_55) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %239 = stablehlo.multiply %146, %238 : tensor<512x256xf32>
    %240 = stablehlo.multiply %238, %146 : tensor<512x256xf32>
    %241 = stablehlo.add %233, %240 : tensor<512x256xf32>
    %242 = stablehlo.add %241, %239 : tensor<512x256xf32>
    %243 = stablehlo.dot_general %242, %144, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %244 = stablehlo.transpose %243, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %245 = stablehlo.dot_general %242, %arg13, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %246 = stablehlo.reshape %245 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %247 = stablehlo.transpose %246, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %248 = stablehlo.dot_general %247, %138, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xf32>, tensor<8x512x512xf32>) -> tensor<8x32x512xf32>
    %249 = stablehlo.transpose %248, dims = [0, 2, 1] : (tensor<8x32x512xf32>) -> tensor<8x512x32xf32>
    %250 = stablehlo.dot_general %247, %121, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xf32>, tensor<8x512x32xf32>) -> tensor<8x512x512xf32>
    %251 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %252 = stablehlo.multiply %250, %251 : tensor<8x512x512xf32>
    %253 = stablehlo.multiply %252, %134 : tensor<8x512x512xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%253 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %255 = stablehlo.reshape %254 : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %256 = stablehlo.negate %255 : tensor<8x512x1xf32>
    %257 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %258 = stablehlo.divide %250, %257 : tensor<8x512x512xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%256 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
    %261 = stablehlo.add %258, %260 : tensor<8x512x512xf32>
    %262 = stablehlo.multiply %261, %134 : tensor<8x512x512xf32>
    %263 = call @_where_2(%127#1, %262) : (tensor<8x512x512xi1>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
    %cst_58 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x512x512xf32>
    %265 = stablehlo.multiply %263, %264 : tensor<8x512x512xf32>
    %266 = stablehlo.dot_general %265, %115, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
    %267 = stablehlo.dot_general %265, %118, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
    %268 = stablehlo.transpose %249, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %269 = stablehlo.reshape %268 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %270 = stablehlo.dot_general %269, %112, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %271 = stablehlo.transpose %270, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %272 = stablehlo.dot_general %269, %arg16, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %273 = stablehlo.transpose %266, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %274 = stablehlo.reshape %273 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %275 = stablehlo.dot_general %274, %112, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %276 = stablehlo.transpose %275, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %277 = stablehlo.dot_general %274, %arg12, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %278 = stablehlo.add %272, %277 : tensor<512x256xf32>
    %279 = stablehlo.transpose %267, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %280 = stablehlo.reshape %279 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %281 = stablehlo.dot_general %280, %112, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %282 = stablehlo.transpose %281, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %283 = stablehlo.dot_general %280, %arg14, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %284 = stablehlo.add %278, %283 : tensor<512x256xf32>
    %285 = stablehlo.multiply %109, %284 : tensor<512x256xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.reduce(%285 init: %cst_59) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %287 = stablehlo.reshape %286 : (tensor<256xf32>) -> tensor<1x256xf32>
    %288 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %289 = stablehlo.multiply %284, %288 : tensor<512x256xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%287 init: %cst_60) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %291 = stablehlo.multiply %96, %289 : tensor<512x256xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.reduce(%291 init: %cst_61) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %293 = stablehlo.reshape %292 : (tensor<512xf32>) -> tensor<512x1xf32>
    %294 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %295 = stablehlo.multiply %289, %294 : tensor<512x256xf32>
    %296 = stablehlo.add %242, %295 : tensor<512x256xf32>
    %297 = stablehlo.multiply %293, %107 : tensor<512x1xf32>
    %cst_62 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %299 = stablehlo.divide %297, %298 : tensor<512x1xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %300 = stablehlo.reduce(%299 init: %cst_63) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %301 = stablehlo.broadcast_in_dim %300, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %302 = stablehlo.multiply %96, %301 : tensor<512x256xf32>
    %303 = stablehlo.multiply %301, %96 : tensor<512x256xf32>
    %304 = stablehlo.add %296, %303 : tensor<512x256xf32>
    %305 = stablehlo.add %304, %302 : tensor<512x256xf32>
    %306 = stablehlo.dot_general %305, %94, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
    %307 = stablehlo.transpose %306, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %308 = stablehlo.dot_general %305, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<1024x256xf32>) -> tensor<512x1024xf32>
    %309 = stablehlo.multiply %73, %308 : tensor<512x1024xf32>
    %310 = stablehlo.multiply %308, %93 : tensor<512x1024xf32>
    %cst_64 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %311 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %312 = stablehlo.multiply %311, %309 : tensor<512x1024xf32>
    %313 = stablehlo.multiply %312, %89 : tensor<512x1024xf32>
    %cst_65 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %315 = stablehlo.multiply %314, %313 : tensor<512x1024xf32>
    %316 = stablehlo.add %310, %315 : tensor<512x1024xf32>
    %cst_66 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %318 = stablehlo.multiply %317, %315 : tensor<512x1024xf32>
    %319 = stablehlo.multiply %318, %78 : tensor<512x1024xf32>
    %320 = stablehlo.add %316, %319 : tensor<512x1024xf32>
    %321 = stablehlo.dot_general %320, %72, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
    %322 = stablehlo.transpose %321, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %323 = stablehlo.dot_general %320, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<256x1024xf32>) -> tensor<512x256xf32>
    %324 = stablehlo.multiply %69, %323 : tensor<512x256xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.reduce(%324 init: %cst_67) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %326 = stablehlo.reshape %325 : (tensor<256xf32>) -> tensor<1x256xf32>
    %327 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %328 = stablehlo.multiply %323, %327 : tensor<512x256xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %329 = stablehlo.reduce(%326 init: %cst_68) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %330 = stablehlo.multiply %56, %328 : tensor<512x256xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %331 = stablehlo.reduce(%330 init: %cst_69) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %332 = stablehlo.reshape %331 : (tensor<512xf32>) -> tensor<512x1xf32>
    %333 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %334 = stablehlo.multiply %328, %333 : tensor<512x256xf32>
    %335 = stablehlo.add %305, %334 : tensor<512x256xf32>
    %336 = stablehlo.multiply %332, %67 : tensor<512x1xf32>
    %cst_70 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %338 = stablehlo.divide %336, %337 : tensor<512x1xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %339 = stablehlo.reduce(%338 init: %cst_71) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %340 = stablehlo.broadcast_in_dim %339, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %341 = stablehlo.multiply %56, %340 : tensor<512x256xf32>
    %342 = stablehlo.multiply %340, %56 : tensor<512x256xf32>
    %343 = stablehlo.add %335, %342 : tensor<512x256xf32>
    %344 = stablehlo.add %343, %341 : tensor<512x256xf32>
    %345 = stablehlo.dot_general %344, %54, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %346 = stablehlo.transpose %345, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %347 = stablehlo.dot_general %344, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %348 = stablehlo.reshape %347 : (tensor<512x256xf32>) -> tensor<512x8x32xf32>
    %349 = stablehlo.transpose %348, dims = [1, 0, 2] : (tensor<512x8x32xf32>) -> tensor<8x512x32xf32>
    %350 = stablehlo.dot_general %349, %48, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xf32>, tensor<8x512x512xf32>) -> tensor<8x32x512xf32>
    %351 = stablehlo.transpose %350, dims = [0, 2, 1] : (tensor<8x32x512xf32>) -> tensor<8x512x32xf32>
    %352 = stablehlo.dot_general %349, %31, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xf32>, tensor<8x512x32xf32>) -> tensor<8x512x512xf32>
    %353 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %354 = stablehlo.multiply %352, %353 : tensor<8x512x512xf32>
    %355 = stablehlo.multiply %354, %44 : tensor<8x512x512xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.reduce(%355 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %357 = stablehlo.reshape %356 : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %358 = stablehlo.negate %357 : tensor<8x512x1xf32>
    %359 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<8x512x1xf32>) -> tensor<8x512x512xf32>
    %360 = stablehlo.divide %352, %359 : tensor<8x512x512xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.reduce(%358 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512xf32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
    %363 = stablehlo.add %360, %362 : tensor<8x512x512xf32>
    %364 = stablehlo.multiply %363, %44 : tensor<8x512x512xf32>
    %365 = call @_where_2(%37#1, %364) : (tensor<8x512x512xi1>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
    %cst_74 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %366 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x512x512xf32>
    %367 = stablehlo.multiply %365, %366 : tensor<8x512x512xf32>
    %368 = stablehlo.dot_general %367, %25, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
    %369 = stablehlo.dot_general %367, %28, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
    %370 = stablehlo.transpose %351, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %371 = stablehlo.reshape %370 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %372 = stablehlo.dot_general %371, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %373 = stablehlo.transpose %372, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %374 = stablehlo.dot_general %371, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %375 = stablehlo.transpose %368, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %376 = stablehlo.reshape %375 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %377 = stablehlo.dot_general %376, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %378 = stablehlo.transpose %377, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %379 = stablehlo.dot_general %376, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %380 = stablehlo.add %374, %379 : tensor<512x256xf32>
    %381 = stablehlo.transpose %369, dims = [1, 0, 2] : (tensor<8x512x32xf32>) -> tensor<512x8x32xf32>
    %382 = stablehlo.reshape %381 : (tensor<512x8x32xf32>) -> tensor<512x256xf32>
    %383 = stablehlo.dot_general %382, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %384 = stablehlo.transpose %383, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %385 = stablehlo.dot_general %382, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %386 = stablehlo.add %380, %385 : tensor<512x256xf32>
    %387 = stablehlo.multiply %19, %386 : tensor<512x256xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.reduce(%387 init: %cst_75) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %389 = stablehlo.reshape %388 : (tensor<256xf32>) -> tensor<1x256xf32>
    %390 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %391 = stablehlo.multiply %386, %390 : tensor<512x256xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %392 = stablehlo.reduce(%389 init: %cst_76) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %393 = stablehlo.multiply %6, %391 : tensor<512x256xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %394 = stablehlo.reduce(%393 init: %cst_77) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %395 = stablehlo.reshape %394 : (tensor<512xf32>) -> tensor<512x1xf32>
    %396 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %397 = stablehlo.multiply %391, %396 : tensor<512x256xf32>
    %398 = stablehlo.add %344, %397 : tensor<512x256xf32>
    %399 = stablehlo.multiply %395, %17 : tensor<512x1xf32>
    %cst_78 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %401 = stablehlo.divide %399, %400 : tensor<512x1xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %402 = stablehlo.reduce(%401 init: %cst_79) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %403 = stablehlo.broadcast_in_dim %402, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %404 = stablehlo.multiply %6, %403 : tensor<512x256xf32>
    %405 = stablehlo.multiply %403, %6 : tensor<512x256xf32>
    %406 = stablehlo.add %398, %405 : tensor<512x256xf32>
    %407 = stablehlo.add %406, %404 : tensor<512x256xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %409 = "stablehlo.scatter"(%408, %5, %407) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %717 = stablehlo.add %arg53, %arg54 : tensor<f32>
      stablehlo.return %717 : tensor<f32>
    }) : (tensor<8192x256xf32>, tensor<512x1xi32>, tensor<512x256xf32>) -> tensor<8192x256xf32>
    %410 = stablehlo.add %203, %409 : tensor<8192x256xf32>
    %cst_81 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %412 = stablehlo.multiply %411, %arg17 : tensor<8192x256xf32>
    %cst_82 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %414 = stablehlo.multiply %413, %410 : tensor<8192x256xf32>
    %415 = stablehlo.add %412, %414 : tensor<8192x256xf32>
    %cst_83 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %417 = stablehlo.multiply %416, %arg18 : tensor<1024x256xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %418 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %419 = stablehlo.multiply %418, %307 : tensor<1024x256xf32>
    %420 = stablehlo.add %417, %419 : tensor<1024x256xf32>
    %cst_85 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %421 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %422 = stablehlo.multiply %421, %arg19 : tensor<256xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %423 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %424 = stablehlo.multiply %423, %392 : tensor<256xf32>
    %425 = stablehlo.add %422, %424 : tensor<256xf32>
    %cst_87 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %427 = stablehlo.multiply %426, %arg20 : tensor<256xf32>
    %cst_88 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %429 = stablehlo.multiply %428, %329 : tensor<256xf32>
    %430 = stablehlo.add %427, %429 : tensor<256xf32>
    %cst_89 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %432 = stablehlo.multiply %431, %arg21 : tensor<256x256xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %434 = stablehlo.multiply %433, %378 : tensor<256x256xf32>
    %435 = stablehlo.add %432, %434 : tensor<256x256xf32>
    %cst_91 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %437 = stablehlo.multiply %436, %arg22 : tensor<256x256xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %439 = stablehlo.multiply %438, %346 : tensor<256x256xf32>
    %440 = stablehlo.add %437, %439 : tensor<256x256xf32>
    %cst_93 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %441 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %442 = stablehlo.multiply %441, %arg23 : tensor<256x256xf32>
    %cst_94 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %444 = stablehlo.multiply %443, %384 : tensor<256x256xf32>
    %445 = stablehlo.add %442, %444 : tensor<256x256xf32>
    %cst_95 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %446 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %447 = stablehlo.multiply %446, %arg24 : tensor<256x1024xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %449 = stablehlo.multiply %448, %322 : tensor<256x1024xf32>
    %450 = stablehlo.add %447, %449 : tensor<256x1024xf32>
    %cst_97 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %451 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %452 = stablehlo.multiply %451, %arg25 : tensor<256x256xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %454 = stablehlo.multiply %453, %373 : tensor<256x256xf32>
    %455 = stablehlo.add %452, %454 : tensor<256x256xf32>
    %cst_99 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %456 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %457 = stablehlo.multiply %456, %arg26 : tensor<1024x256xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %458 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %459 = stablehlo.multiply %458, %205 : tensor<1024x256xf32>
    %460 = stablehlo.add %457, %459 : tensor<1024x256xf32>
    %cst_101 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %462 = stablehlo.multiply %461, %arg27 : tensor<256xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %463 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %464 = stablehlo.multiply %463, %290 : tensor<256xf32>
    %465 = stablehlo.add %462, %464 : tensor<256xf32>
    %cst_103 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %466 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %467 = stablehlo.multiply %466, %arg28 : tensor<256xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %468 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %469 = stablehlo.multiply %468, %227 : tensor<256xf32>
    %470 = stablehlo.add %467, %469 : tensor<256xf32>
    %cst_105 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %471 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %472 = stablehlo.multiply %471, %arg29 : tensor<256x256xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %474 = stablehlo.multiply %473, %276 : tensor<256x256xf32>
    %475 = stablehlo.add %472, %474 : tensor<256x256xf32>
    %cst_107 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %476 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %477 = stablehlo.multiply %476, %arg30 : tensor<256x256xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %479 = stablehlo.multiply %478, %244 : tensor<256x256xf32>
    %480 = stablehlo.add %477, %479 : tensor<256x256xf32>
    %cst_109 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %482 = stablehlo.multiply %481, %arg31 : tensor<256x256xf32>
    %cst_110 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %483 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %484 = stablehlo.multiply %483, %282 : tensor<256x256xf32>
    %485 = stablehlo.add %482, %484 : tensor<256x256xf32>
    %cst_111 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %487 = stablehlo.multiply %486, %arg32 : tensor<256x1024xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %489 = stablehlo.multiply %488, %220 : tensor<256x1024xf32>
    %490 = stablehlo.add %487, %489 : tensor<256x1024xf32>
    %cst_113 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %492 = stablehlo.multiply %491, %arg33 : tensor<256x256xf32>
    %cst_114 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %494 = stablehlo.multiply %493, %271 : tensor<256x256xf32>
    %495 = stablehlo.add %492, %494 : tensor<256x256xf32>
    %cst_115 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %497 = stablehlo.multiply %496, %arg34 : tensor<8192x256xf32>
    %cst_116 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %498 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %499 = stablehlo.multiply %498, %410 : tensor<8192x256xf32>
    %500 = stablehlo.multiply %499, %410 : tensor<8192x256xf32>
    %501 = stablehlo.add %497, %500 : tensor<8192x256xf32>
    %cst_117 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %503 = stablehlo.multiply %502, %arg35 : tensor<1024x256xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %504 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %505 = stablehlo.multiply %504, %307 : tensor<1024x256xf32>
    %506 = stablehlo.multiply %505, %307 : tensor<1024x256xf32>
    %507 = stablehlo.add %503, %506 : tensor<1024x256xf32>
    %cst_119 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %509 = stablehlo.multiply %508, %arg36 : tensor<256xf32>
    %cst_120 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %511 = stablehlo.multiply %510, %392 : tensor<256xf32>
    %512 = stablehlo.multiply %511, %392 : tensor<256xf32>
    %513 = stablehlo.add %509, %512 : tensor<256xf32>
    %cst_121 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %515 = stablehlo.multiply %514, %arg37 : tensor<256xf32>
    %cst_122 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %516 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %517 = stablehlo.multiply %516, %329 : tensor<256xf32>
    %518 = stablehlo.multiply %517, %329 : tensor<256xf32>
    %519 = stablehlo.add %515, %518 : tensor<256xf32>
    %cst_123 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %521 = stablehlo.multiply %520, %arg38 : tensor<256x256xf32>
    %cst_124 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %522 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %523 = stablehlo.multiply %522, %378 : tensor<256x256xf32>
    %524 = stablehlo.multiply %523, %378 : tensor<256x256xf32>
    %525 = stablehlo.add %521, %524 : tensor<256x256xf32>
    %cst_125 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %527 = stablehlo.multiply %526, %arg39 : tensor<256x256xf32>
    %cst_126 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %529 = stablehlo.multiply %528, %346 : tensor<256x256xf32>
    %530 = stablehlo.multiply %529, %346 : tensor<256x256xf32>
    %531 = stablehlo.add %527, %530 : tensor<256x256xf32>
    %cst_127 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %533 = stablehlo.multiply %532, %arg40 : tensor<256x256xf32>
    %cst_128 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %534 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %535 = stablehlo.multiply %534, %384 : tensor<256x256xf32>
    %536 = stablehlo.multiply %535, %384 : tensor<256x256xf32>
    %537 = stablehlo.add %533, %536 : tensor<256x256xf32>
    %cst_129 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %539 = stablehlo.multiply %538, %arg41 : tensor<256x1024xf32>
    %cst_130 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %541 = stablehlo.multiply %540, %322 : tensor<256x1024xf32>
    %542 = stablehlo.multiply %541, %322 : tensor<256x1024xf32>
    %543 = stablehlo.add %539, %542 : tensor<256x1024xf32>
    %cst_131 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %544 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %545 = stablehlo.multiply %544, %arg42 : tensor<256x256xf32>
    %cst_132 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %546 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %547 = stablehlo.multiply %546, %373 : tensor<256x256xf32>
    %548 = stablehlo.multiply %547, %373 : tensor<256x256xf32>
    %549 = stablehlo.add %545, %548 : tensor<256x256xf32>
    %cst_133 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %551 = stablehlo.multiply %550, %arg43 : tensor<1024x256xf32>
    %cst_134 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %552 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %553 = stablehlo.multiply %552, %205 : tensor<1024x256xf32>
    %554 = stablehlo.multiply %553, %205 : tensor<1024x256xf32>
    %555 = stablehlo.add %551, %554 : tensor<1024x256xf32>
    %cst_135 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %556 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %557 = stablehlo.multiply %556, %arg44 : tensor<256xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %558 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %559 = stablehlo.multiply %558, %290 : tensor<256xf32>
    %560 = stablehlo.multiply %559, %290 : tensor<256xf32>
    %561 = stablehlo.add %557, %560 : tensor<256xf32>
    %cst_137 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %562 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %563 = stablehlo.multiply %562, %arg45 : tensor<256xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %564 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %565 = stablehlo.multiply %564, %227 : tensor<256xf32>
    %566 = stablehlo.multiply %565, %227 : tensor<256xf32>
    %567 = stablehlo.add %563, %566 : tensor<256xf32>
    %cst_139 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %568 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %569 = stablehlo.multiply %568, %arg46 : tensor<256x256xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %570 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %571 = stablehlo.multiply %570, %276 : tensor<256x256xf32>
    %572 = stablehlo.multiply %571, %276 : tensor<256x256xf32>
    %573 = stablehlo.add %569, %572 : tensor<256x256xf32>
    %cst_141 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %574 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %575 = stablehlo.multiply %574, %arg47 : tensor<256x256xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %576 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %577 = stablehlo.multiply %576, %244 : tensor<256x256xf32>
    %578 = stablehlo.multiply %577, %244 : tensor<256x256xf32>
    %579 = stablehlo.add %575, %578 : tensor<256x256xf32>
    %cst_143 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %580 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %581 = stablehlo.multiply %580, %arg48 : tensor<256x256xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %582 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %583 = stablehlo.multiply %582, %282 : tensor<256x256xf32>
    %584 = stablehlo.multiply %583, %282 : tensor<256x256xf32>
    %585 = stablehlo.add %581, %584 : tensor<256x256xf32>
    %cst_145 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %586 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %587 = stablehlo.multiply %586, %arg49 : tensor<256x1024xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %588 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %589 = stablehlo.multiply %588, %220 : tensor<256x1024xf32>
    %590 = stablehlo.multiply %589, %220 : tensor<256x1024xf32>
    %591 = stablehlo.add %587, %590 : tensor<256x1024xf32>
    %cst_147 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %592 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %593 = stablehlo.multiply %592, %arg50 : tensor<256x256xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %594 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %595 = stablehlo.multiply %594, %271 : tensor<256x256xf32>
    %596 = stablehlo.multiply %595, %271 : tensor<256x256xf32>
    %597 = stablehlo.add %593, %596 : tensor<256x256xf32>
    %cst_149 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %598 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %599 = stablehlo.multiply %598, %415 : tensor<8192x256xf32>
    %600 = stablehlo.sqrt %501 : tensor<8192x256xf32>
    %cst_150 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %601 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %602 = stablehlo.add %600, %601 : tensor<8192x256xf32>
    %603 = stablehlo.divide %599, %602 : tensor<8192x256xf32>
    %604 = stablehlo.subtract %arg0, %603 : tensor<8192x256xf32>
    %cst_151 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %605 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %606 = stablehlo.multiply %605, %420 : tensor<1024x256xf32>
    %607 = stablehlo.sqrt %507 : tensor<1024x256xf32>
    %cst_152 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %608 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %609 = stablehlo.add %607, %608 : tensor<1024x256xf32>
    %610 = stablehlo.divide %606, %609 : tensor<1024x256xf32>
    %611 = stablehlo.subtract %arg1, %610 : tensor<1024x256xf32>
    %cst_153 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %613 = stablehlo.multiply %612, %425 : tensor<256xf32>
    %614 = stablehlo.sqrt %513 : tensor<256xf32>
    %cst_154 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %616 = stablehlo.add %614, %615 : tensor<256xf32>
    %617 = stablehlo.divide %613, %616 : tensor<256xf32>
    %618 = stablehlo.subtract %arg2, %617 : tensor<256xf32>
    %cst_155 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %620 = stablehlo.multiply %619, %430 : tensor<256xf32>
    %621 = stablehlo.sqrt %519 : tensor<256xf32>
    %cst_156 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %623 = stablehlo.add %621, %622 : tensor<256xf32>
    %624 = stablehlo.divide %620, %623 : tensor<256xf32>
    %625 = stablehlo.subtract %arg3, %624 : tensor<256xf32>
    %cst_157 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %627 = stablehlo.multiply %626, %435 : tensor<256x256xf32>
    %628 = stablehlo.sqrt %525 : tensor<256x256xf32>
    %cst_158 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %630 = stablehlo.add %628, %629 : tensor<256x256xf32>
    %631 = stablehlo.divide %627, %630 : tensor<256x256xf32>
    %632 = stablehlo.subtract %arg4, %631 : tensor<256x256xf32>
    %cst_159 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %634 = stablehlo.multiply %633, %440 : tensor<256x256xf32>
    %635 = stablehlo.sqrt %531 : tensor<256x256xf32>
    %cst_160 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %637 = stablehlo.add %635, %636 : tensor<256x256xf32>
    %638 = stablehlo.divide %634, %637 : tensor<256x256xf32>
    %639 = stablehlo.subtract %arg5, %638 : tensor<256x256xf32>
    %cst_161 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %641 = stablehlo.multiply %640, %445 : tensor<256x256xf32>
    %642 = stablehlo.sqrt %537 : tensor<256x256xf32>
    %cst_162 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %644 = stablehlo.add %642, %643 : tensor<256x256xf32>
    %645 = stablehlo.divide %641, %644 : tensor<256x256xf32>
    %646 = stablehlo.subtract %arg6, %645 : tensor<256x256xf32>
    %cst_163 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %647 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %648 = stablehlo.multiply %647, %450 : tensor<256x1024xf32>
    %649 = stablehlo.sqrt %543 : tensor<256x1024xf32>
    %cst_164 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %650 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %651 = stablehlo.add %649, %650 : tensor<256x1024xf32>
    %652 = stablehlo.divide %648, %651 : tensor<256x1024xf32>
    %653 = stablehlo.subtract %arg7, %652 : tensor<256x1024xf32>
    %cst_165 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %655 = stablehlo.multiply %654, %455 : tensor<256x256xf32>
    %656 = stablehlo.sqrt %549 : tensor<256x256xf32>
    %cst_166 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %658 = stablehlo.add %656, %657 : tensor<256x256xf32>
    %659 = stablehlo.divide %655, %658 : tensor<256x256xf32>
    %660 = stablehlo.subtract %arg8, %659 : tensor<256x256xf32>
    %cst_167 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %662 = stablehlo.multiply %661, %460 : tensor<1024x256xf32>
    %663 = stablehlo.sqrt %555 : tensor<1024x256xf32>
    %cst_168 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %664 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %665 = stablehlo.add %663, %664 : tensor<1024x256xf32>
    %666 = stablehlo.divide %662, %665 : tensor<1024x256xf32>
    %667 = stablehlo.subtract %arg9, %666 : tensor<1024x256xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %668 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %669 = stablehlo.multiply %668, %465 : tensor<256xf32>
    %670 = stablehlo.sqrt %561 : tensor<256xf32>
    %cst_170 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %672 = stablehlo.add %670, %671 : tensor<256xf32>
    %673 = stablehlo.divide %669, %672 : tensor<256xf32>
    %674 = stablehlo.subtract %arg10, %673 : tensor<256xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %676 = stablehlo.multiply %675, %470 : tensor<256xf32>
    %677 = stablehlo.sqrt %567 : tensor<256xf32>
    %cst_172 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %678 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %679 = stablehlo.add %677, %678 : tensor<256xf32>
    %680 = stablehlo.divide %676, %679 : tensor<256xf32>
    %681 = stablehlo.subtract %arg11, %680 : tensor<256xf32>
    %cst_173 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %682 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %683 = stablehlo.multiply %682, %475 : tensor<256x256xf32>
    %684 = stablehlo.sqrt %573 : tensor<256x256xf32>
    %cst_174 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %686 = stablehlo.add %684, %685 : tensor<256x256xf32>
    %687 = stablehlo.divide %683, %686 : tensor<256x256xf32>
    %688 = stablehlo.subtract %arg12, %687 : tensor<256x256xf32>
    %cst_175 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %689 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %690 = stablehlo.multiply %689, %480 : tensor<256x256xf32>
    %691 = stablehlo.sqrt %579 : tensor<256x256xf32>
    %cst_176 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %693 = stablehlo.add %691, %692 : tensor<256x256xf32>
    %694 = stablehlo.divide %690, %693 : tensor<256x256xf32>
    %695 = stablehlo.subtract %arg13, %694 : tensor<256x256xf32>
    %cst_177 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %697 = stablehlo.multiply %696, %485 : tensor<256x256xf32>
    %698 = stablehlo.sqrt %585 : tensor<256x256xf32>
    %cst_178 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %700 = stablehlo.add %698, %699 : tensor<256x256xf32>
    %701 = stablehlo.divide %697, %700 : tensor<256x256xf32>
    %702 = stablehlo.subtract %arg14, %701 : tensor<256x256xf32>
    %cst_179 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %703 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %704 = stablehlo.multiply %703, %490 : tensor<256x1024xf32>
    %705 = stablehlo.sqrt %591 : tensor<256x1024xf32>
    %cst_180 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %706 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %707 = stablehlo.add %705, %706 : tensor<256x1024xf32>
    %708 = stablehlo.divide %704, %707 : tensor<256x1024xf32>
    %709 = stablehlo.subtract %arg15, %708 : tensor<256x1024xf32>
    %cst_181 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %710 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %711 = stablehlo.multiply %710, %495 : tensor<256x256xf32>
    %712 = stablehlo.sqrt %597 : tensor<256x256xf32>
    %cst_182 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %713 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %714 = stablehlo.add %712, %713 : tensor<256x256xf32>
    %715 = stablehlo.divide %711, %714 : tensor<256x256xf32>
    %716 = stablehlo.subtract %arg16, %715 : tensor<256x256xf32>
    return %604, %611, %618, %625, %632, %639, %646, %653, %660, %667, %674, %681, %688, %695, %702, %709, %716, %415, %420, %425, %430, %435, %440, %445, %450, %455, %460, %465, %470, %475, %480, %485, %490, %495, %501, %507, %513, %519, %525, %531, %537, %543, %549, %555, %561, %567, %573, %579, %585, %591, %597, %194 : tensor<8192x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<8192x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<8192x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<512x512xi1>) -> tensor<512x512xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<512x512xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512x512xi32>
    %2 = stablehlo.add %0, %1 : tensor<512x512xi32>
    %3 = stablehlo.iota dim = 1 : tensor<512x512xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<512x512xi1>, tensor<512x512xi1>
    return %6 : tensor<512x512xi1>
  }
  func.func private @_where(%arg0: tensor<512x512xi1>, %arg1: tensor<8x512x512xf32>, %arg2: tensor<f32>) -> (tensor<8x512x512xf32>, tensor<8x512x512xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<512x512xi1>) -> tensor<8x512x512xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x512x512xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<8x512x512xi1>, tensor<8x512x512xf32>
    return %2, %0 : tensor<8x512x512xf32>, tensor<8x512x512xi1>
  }
  func.func private @log_softmax(%arg0: tensor<512x8192xf32>) -> (tensor<512x8192xf32>, tensor<512x8192xf32>, tensor<512x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<512xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x8192xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<512x8192xf32>
    %6 = stablehlo.exponential %5 : tensor<512x8192xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<512xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %9 = stablehlo.log %8 : tensor<512x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x8192xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<512x8192xf32>
    return %11, %6, %8 : tensor<512x8192xf32>, tensor<512x8192xf32>, tensor<512x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<512x8192xf32>, %arg1: tensor<512x1xi32>) -> (tensor<512x1xf32>, tensor<512x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<512x1xi32>, tensor<512x1xi32>) -> tensor<512x1xi1>
    %c_0 = stablehlo.constant dense<8192> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<512x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<512x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<512x1xi1>, tensor<512x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<512x1xi32>) -> tensor<512x1x1xi32>
    %c_1 = stablehlo.constant dense<8191> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<512x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<512x1x1xi32>, tensor<512x1x1xi32>) -> tensor<512x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<512x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<512x1x1xi32>, tensor<512x1x1xi32>) -> tensor<512x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<512x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<512x1x1xi1>, tensor<i1>) -> tensor<512x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<512x8192xf32>, tensor<512x1x1xi32>) -> tensor<512x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<512x1xi1>, tensor<512x1xf32>
    return %15, %5 : tensor<512x1xf32>, tensor<512x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<512x1x1xi32>, %arg1: tensor<512x1xf32>) -> tensor<512x8192xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x8192xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<512x8192xf32>, tensor<512x1x1xi32>, tensor<512x1xf32>) -> tensor<512x8192xf32>
    return %1 : tensor<512x8192xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<512x8192xf32>, %arg1: tensor<512x1xf32>, %arg2: tensor<512x8192xf32>) -> tensor<512x8192xf32> {
    %0 = stablehlo.negate %arg2 : tensor<512x8192xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<512xf32>
    %2 = stablehlo.reshape %1 : (tensor<512xf32>) -> tensor<512x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<512x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<512xf32>) -> tensor<512x8192xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<512x8192xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<512x8192xf32>
    return %7 : tensor<512x8192xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x512x512xi1>, %arg1: tensor<8x512x512xf32>) -> tensor<8x512x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x512x512xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x512x512xi1>, tensor<8x512x512xf32>
    return %1 : tensor<8x512x512xf32>
  }
}
