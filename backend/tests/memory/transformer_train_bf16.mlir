// XLA:CPU arguments=36716544 outputs=36712868 temporaries=114476032 aliased=36712448 total=151192996
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8192x256xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1024x256xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<256xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<256xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<256x256xbf16> {tf.aliasing_output = 4 : i32}, %arg5: tensor<256x256xbf16> {tf.aliasing_output = 5 : i32}, %arg6: tensor<256x256xbf16> {tf.aliasing_output = 6 : i32}, %arg7: tensor<256x1024xbf16> {tf.aliasing_output = 7 : i32}, %arg8: tensor<256x256xbf16> {tf.aliasing_output = 8 : i32}, %arg9: tensor<1024x256xbf16> {tf.aliasing_output = 9 : i32}, %arg10: tensor<256xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<256xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<256x256xbf16> {tf.aliasing_output = 12 : i32}, %arg13: tensor<256x256xbf16> {tf.aliasing_output = 13 : i32}, %arg14: tensor<256x256xbf16> {tf.aliasing_output = 14 : i32}, %arg15: tensor<256x1024xbf16> {tf.aliasing_output = 15 : i32}, %arg16: tensor<256x256xbf16> {tf.aliasing_output = 16 : i32}, %arg17: tensor<8192x256xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<1024x256xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<256xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<256xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<256x256xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<256x256xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<256x256xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<256x1024xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<256x256xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<1024x256xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<256xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<256xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<256x256xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<256x256xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<256x256xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<256x1024xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<256x256xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<8192x256xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<1024x256xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<256xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<256xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<256x256xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<256x256xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<256x256xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<256x1024xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<256x256xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<1024x256xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<256xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<256xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<256x256xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<256x256xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<256x256xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<256x1024xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<256x256xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<512xi32>, %arg52: tensor<512xi32>) -> (tensor<8192x256xbf16> {jax.result_info = "result[0]['embed']"}, tensor<1024x256xbf16> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][0]['g1']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][0]['g2']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][0]['k']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][0]['o']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][0]['q']"}, tensor<256x1024xbf16> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][0]['v']"}, tensor<1024x256xbf16> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][1]['g1']"}, tensor<256xf32> {jax.result_info = "result[0]['layers'][1]['g2']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][1]['k']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][1]['o']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][1]['q']"}, tensor<256x1024xbf16> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<256x256xbf16> {jax.result_info = "result[0]['layers'][1]['v']"}, tensor<8192x256xf32> {jax.result_info = "result[1]['embed']"}, tensor<1024x256xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][0]['g1']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][0]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['k']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['o']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][0]['v']"}, tensor<1024x256xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][1]['g1']"}, tensor<256xf32> {jax.result_info = "result[1]['layers'][1]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['k']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['o']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<256x256xf32> {jax.result_info = "result[1]['layers'][1]['v']"}, tensor<8192x256xf32> {jax.result_info = "result[2]['embed']"}, tensor<1024x256xf32> {jax.result_info = "result[2]['layers'][0]['down']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][0]['g1']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][0]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['k']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['o']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[2]['layers'][0]['up']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][0]['v']"}, tensor<1024x256xf32> {jax.result_info = "result[2]['layers'][1]['down']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][1]['g1']"}, tensor<256xf32> {jax.result_info = "result[2]['layers'][1]['g2']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['k']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['o']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['q']"}, tensor<256x1024xf32> {jax.result_info = "result[2]['layers'][1]['up']"}, tensor<256x256xf32> {jax.result_info = "result[2]['layers'][1]['v']"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %1 = stablehlo.compare LT, %arg51, %0, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %c_0 = stablehlo.constant dense<8192> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %3 = stablehlo.add %arg51, %2 : tensor<512xi32>
    %4 = stablehlo.select %1, %3, %arg51 : tensor<512xi1>, tensor<512xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<8192x256xbf16>, tensor<512x1xi32>) -> tensor<512x256xbf16>
    %7 = stablehlo.convert %6 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<512x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_1 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<512x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<512x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<512x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<512x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<512x1xf32>
    %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %20 = stablehlo.multiply %7, %19 : tensor<512x256xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<512x256xf32>
    %24 = stablehlo.convert %23 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %25 = stablehlo.dot_general %24, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %26 = stablehlo.reshape %25 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %27 = stablehlo.transpose %26, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %28 = stablehlo.dot_general %24, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %29 = stablehlo.reshape %28 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %30 = stablehlo.transpose %29, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %31 = stablehlo.dot_general %24, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %32 = stablehlo.reshape %31 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %33 = stablehlo.transpose %32, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %34 = stablehlo.dot_general %27, %30, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x512xbf16>
    %cst_4 = stablehlo.constant dense<1.767580e-01> : tensor<bf16>
    %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<8x512x512xbf16>
    %36 = stablehlo.multiply %34, %35 : tensor<8x512x512xbf16>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %37 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %38 = call @tril(%37) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %cst_6 = stablehlo.constant dense<-1.000260e+30> : tensor<bf16>
    %39:2 = call @_where(%38, %36, %cst_6) : (tensor<512x512xi1>, tensor<8x512x512xbf16>, tensor<bf16>) -> (tensor<8x512x512xbf16>, tensor<8x512x512xi1>)
    %cst_7 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %40 = stablehlo.reduce(%39#0 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<8x512x512xbf16>, tensor<bf16>) -> tensor<8x512xbf16>
    %cst_8 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<8x512xbf16>
    %42 = stablehlo.maximum %41, %40 : tensor<8x512xbf16>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<8x512xbf16>) -> tensor<8x512x1xbf16>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %45 = stablehlo.subtract %39#0, %44 : tensor<8x512x512xbf16>
    %46 = stablehlo.exponential %45 : tensor<8x512x512xbf16>
    %47 = stablehlo.convert %46 : (tensor<8x512x512xbf16>) -> tensor<8x512x512xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %50 = stablehlo.convert %49 : (tensor<8x512x1xf32>) -> tensor<8x512x1xbf16>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %52 = stablehlo.divide %46, %51 : tensor<8x512x512xbf16>
    %53 = stablehlo.multiply %50, %50 : tensor<8x512x1xbf16>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %54 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<8x512x1xbf16>
    %55 = stablehlo.divide %54, %53 : tensor<8x512x1xbf16>
    %56 = stablehlo.dot_general %52, %33, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x32xbf16>
    %57 = stablehlo.transpose %56, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %58 = stablehlo.reshape %57 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %59 = stablehlo.dot_general %58, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %60 = stablehlo.add %6, %59 : tensor<512x256xbf16>
    %61 = stablehlo.convert %60 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %62 = stablehlo.multiply %61, %61 : tensor<512x256xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_12 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %66 = stablehlo.divide %64, %65 : tensor<512x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %68 = stablehlo.add %66, %67 : tensor<512x1xf32>
    %69 = stablehlo.rsqrt %68 : tensor<512x1xf32>
    %70 = stablehlo.divide %69, %68 : tensor<512x1xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<512x1xf32>
    %73 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %74 = stablehlo.multiply %61, %73 : tensor<512x256xf32>
    %75 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %77 = stablehlo.multiply %74, %76 : tensor<512x256xf32>
    %78 = stablehlo.convert %77 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %79 = stablehlo.dot_general %78, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x1024xbf16>) -> tensor<512x1024xbf16>
    %80 = stablehlo.multiply %79, %79 : tensor<512x1024xbf16>
    %81 = stablehlo.multiply %80, %79 : tensor<512x1024xbf16>
    %82 = stablehlo.multiply %79, %79 : tensor<512x1024xbf16>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
    %83 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %84 = stablehlo.multiply %83, %82 : tensor<512x1024xbf16>
    %cst_16 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %85 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %86 = stablehlo.multiply %85, %81 : tensor<512x1024xbf16>
    %87 = stablehlo.add %79, %86 : tensor<512x1024xbf16>
    %cst_17 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %88 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %89 = stablehlo.multiply %88, %87 : tensor<512x1024xbf16>
    %90 = stablehlo.tanh %89 : tensor<512x1024xbf16>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %91 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %92 = stablehlo.add %91, %90 : tensor<512x1024xbf16>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %93 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %94 = stablehlo.subtract %93, %90 : tensor<512x1024xbf16>
    %95 = stablehlo.multiply %92, %94 : tensor<512x1024xbf16>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %96 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %97 = stablehlo.add %96, %90 : tensor<512x1024xbf16>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %98 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %99 = stablehlo.multiply %98, %97 : tensor<512x1024xbf16>
    %100 = stablehlo.multiply %79, %99 : tensor<512x1024xbf16>
    %101 = stablehlo.dot_general %100, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xbf16>, tensor<1024x256xbf16>) -> tensor<512x256xbf16>
    %102 = stablehlo.add %60, %101 : tensor<512x256xbf16>
    %103 = stablehlo.convert %102 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %104 = stablehlo.multiply %103, %103 : tensor<512x256xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.reduce(%104 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_23 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %108 = stablehlo.divide %106, %107 : tensor<512x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %110 = stablehlo.add %108, %109 : tensor<512x1xf32>
    %111 = stablehlo.rsqrt %110 : tensor<512x1xf32>
    %112 = stablehlo.divide %111, %110 : tensor<512x1xf32>
    %cst_25 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %114 = stablehlo.multiply %113, %112 : tensor<512x1xf32>
    %115 = stablehlo.broadcast_in_dim %111, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %116 = stablehlo.multiply %103, %115 : tensor<512x256xf32>
    %117 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %119 = stablehlo.multiply %116, %118 : tensor<512x256xf32>
    %120 = stablehlo.convert %119 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %121 = stablehlo.dot_general %120, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %122 = stablehlo.reshape %121 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %123 = stablehlo.transpose %122, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %124 = stablehlo.dot_general %120, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %125 = stablehlo.reshape %124 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %126 = stablehlo.transpose %125, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %127 = stablehlo.dot_general %120, %arg16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %128 = stablehlo.reshape %127 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %129 = stablehlo.transpose %128, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %130 = stablehlo.dot_general %123, %126, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x512xbf16>
    %cst_26 = stablehlo.constant dense<1.767580e-01> : tensor<bf16>
    %131 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<bf16>) -> tensor<8x512x512xbf16>
    %132 = stablehlo.multiply %130, %131 : tensor<8x512x512xbf16>
    %c_27 = stablehlo.constant dense<true> : tensor<i1>
    %133 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %134 = call @tril(%133) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %cst_28 = stablehlo.constant dense<-1.000260e+30> : tensor<bf16>
    %135:2 = call @_where(%134, %132, %cst_28) : (tensor<512x512xi1>, tensor<8x512x512xbf16>, tensor<bf16>) -> (tensor<8x512x512xbf16>, tensor<8x512x512xi1>)
    %cst_29 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %136 = stablehlo.reduce(%135#0 init: %cst_29) applies stablehlo.maximum across dimensions = [2] : (tensor<8x512x512xbf16>, tensor<bf16>) -> tensor<8x512xbf16>
    %cst_30 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %137 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<bf16>) -> tensor<8x512xbf16>
    %138 = stablehlo.maximum %137, %136 : tensor<8x512xbf16>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1] : (tensor<8x512xbf16>) -> tensor<8x512x1xbf16>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %141 = stablehlo.subtract %135#0, %140 : tensor<8x512x512xbf16>
    %142 = stablehlo.exponential %141 : tensor<8x512x512xbf16>
    %143 = stablehlo.convert %142 : (tensor<8x512x512xbf16>) -> tensor<8x512x512xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %144 = stablehlo.reduce(%143 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x1xf32>
    %146 = stablehlo.convert %145 : (tensor<8x512x1xf32>) -> tensor<8x512x1xbf16>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %148 = stablehlo.divide %142, %147 : tensor<8x512x512xbf16>
    %149 = stablehlo.multiply %146, %146 : tensor<8x512x1xbf16>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %150 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<bf16>) -> tensor<8x512x1xbf16>
    %151 = stablehlo.divide %150, %149 : tensor<8x512x1xbf16>
    %152 = stablehlo.dot_general %148, %129, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x32xbf16>
    %153 = stablehlo.transpose %152, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %154 = stablehlo.reshape %153 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %155 = stablehlo.dot_general %154, %arg13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %156 = stablehlo.add %102, %155 : tensor<512x256xbf16>
    %157 = stablehlo.convert %156 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %158 = stablehlo.multiply %157, %157 : tensor<512x256xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.reduce(%158 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_34 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %162 = stablehlo.divide %160, %161 : tensor<512x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %164 = stablehlo.add %162, %163 : tensor<512x1xf32>
    %165 = stablehlo.rsqrt %164 : tensor<512x1xf32>
    %166 = stablehlo.divide %165, %164 : tensor<512x1xf32>
    %cst_36 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %168 = stablehlo.multiply %167, %166 : tensor<512x1xf32>
    %169 = stablehlo.broadcast_in_dim %165, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %170 = stablehlo.multiply %157, %169 : tensor<512x256xf32>
    %171 = stablehlo.broadcast_in_dim %arg11, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %173 = stablehlo.multiply %170, %172 : tensor<512x256xf32>
    %174 = stablehlo.convert %173 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %175 = stablehlo.dot_general %174, %arg15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x1024xbf16>) -> tensor<512x1024xbf16>
    %176 = stablehlo.multiply %175, %175 : tensor<512x1024xbf16>
    %177 = stablehlo.multiply %176, %175 : tensor<512x1024xbf16>
    %178 = stablehlo.multiply %175, %175 : tensor<512x1024xbf16>
    %cst_37 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
    %179 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %180 = stablehlo.multiply %179, %178 : tensor<512x1024xbf16>
    %cst_38 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %181 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %182 = stablehlo.multiply %181, %177 : tensor<512x1024xbf16>
    %183 = stablehlo.add %175, %182 : tensor<512x1024xbf16>
    %cst_39 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %184 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %185 = stablehlo.multiply %184, %183 : tensor<512x1024xbf16>
    %186 = stablehlo.tanh %185 : tensor<512x1024xbf16>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %187 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %188 = stablehlo.add %187, %186 : tensor<512x1024xbf16>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %189 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %190 = stablehlo.subtract %189, %186 : tensor<512x1024xbf16>
    %191 = stablehlo.multiply %188, %190 : tensor<512x1024xbf16>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %192 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %193 = stablehlo.add %192, %186 : tensor<512x1024xbf16>
    %cst_43 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %194 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %195 = stablehlo.multiply %194, %193 : tensor<512x1024xbf16>
    %196 = stablehlo.multiply %175, %195 : tensor<512x1024xbf16>
    %197 = stablehlo.dot_general %196, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xbf16>, tensor<1024x256xbf16>) -> tensor<512x256xbf16>
    %198 = stablehlo.add %156, %197 : tensor<512x256xbf16>
    %199 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8192x256xbf16>) -> tensor<256x8192xbf16>
    %200 = stablehlo.dot_general %198, %199, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x8192xbf16>) -> tensor<512x8192xbf16>
    %201 = stablehlo.convert %200 : (tensor<512x8192xbf16>) -> tensor<512x8192xf32>
    %202:3 = call @log_softmax(%201) : (tensor<512x8192xf32>) -> (tensor<512x8192xf32>, tensor<512x8192xf32>, tensor<512x1xf32>)
    %203 = stablehlo.broadcast_in_dim %arg52, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %204:2 = call @take_along_axis(%202#0, %203) : (tensor<512x8192xf32>, tensor<512x1xi32>) -> (tensor<512x1xf32>, tensor<512x1x1xi32>)
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %205 = stablehlo.reduce(%204#0 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_45 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %206 = stablehlo.divide %205, %cst_45 : tensor<f32>
    %207 = stablehlo.negate %206 : tensor<f32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.negate %cst_46 : tensor<f32>
    %cst_47 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %209 = stablehlo.divide %208, %cst_47 : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %211 = call @take_along_axis_0(%204#1, %210) : (tensor<512x1x1xi32>, tensor<512x1xf32>) -> tensor<512x8192xf32>
    %212 = call @log_softmax_1(%202#1, %202#2, %211) : (tensor<512x8192xf32>, tensor<512x1xf32>, tensor<512x8192xf32>) -> tensor<512x8192xf32>
    %213 = stablehlo.convert %212 : (tensor<512x8192xf32>) -> tensor<512x8192xbf16>
    %214 = stablehlo.dot_general %213, %198, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xbf16>, tensor<512x256xbf16>) -> tensor<8192x256xbf16>
    %215 = stablehlo.transpose %214, dims = [1, 0] : (tensor<8192x256xbf16>) -> tensor<256x8192xbf16>
    %216 = stablehlo.dot_general %213, %199, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x8192xbf16>, tensor<256x8192xbf16>) -> tensor<512x256xbf16>
    %217 = stablehlo.transpose %215, dims = [1, 0] : (tensor<256x8192xbf16>) -> tensor<8192x256xbf16>
    %218 = stablehlo.dot_general %216, %196, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x1024xbf16>) -> tensor<256x1024xbf16>
    %219 = stablehlo.transpose %218, dims = [1, 0] : (tensor<256x1024xbf16>) -> tensor<1024x256xbf16>
    %220 = stablehlo.dot_general %216, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<1024x256xbf16>) -> tensor<512x1024xbf16>
    %221 = stablehlo.multiply %175, %220 : tensor<512x1024xbf16>
    %222 = stablehlo.multiply %220, %195 : tensor<512x1024xbf16>
    %cst_48 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %223 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %224 = stablehlo.multiply %223, %221 : tensor<512x1024xbf16>
    %225 = stablehlo.multiply %224, %191 : tensor<512x1024xbf16>
    %cst_49 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %226 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %227 = stablehlo.multiply %226, %225 : tensor<512x1024xbf16>
    %228 = stablehlo.add %222, %227 : tensor<512x1024xbf16>
    %cst_50 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %229 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %230 = stablehlo.multiply %229, %227 : tensor<512x1024xbf16>
    %231 = stablehlo.multiply %230, %180 : tensor<512x1024xbf16>
    %232 = stablehlo.add %228, %231 : tensor<512x1024xbf16>
    %233 = stablehlo.dot_general %232, %174, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xbf16>, tensor<512x256xbf16>) -> tensor<1024x256xbf16>
    %234 = stablehlo.transpose %233, dims = [1, 0] : (tensor<1024x256xbf16>) -> tensor<256x1024xbf16>
    %235 = stablehlo.dot_general %232, %arg15, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xbf16>, tensor<256x1024xbf16>) -> tensor<512x256xbf16>
    %236 = stablehlo.convert %235 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %237 = stablehlo.multiply %170, %236 : tensor<512x256xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%237 init: %cst_51) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %239 = stablehlo.reshape %238 : (tensor<256xf32>) -> tensor<1x256xf32>
    %240 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %241 = stablehlo.multiply %236, %240 : tensor<512x256xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.reduce(%239 init: %cst_52) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %243 = stablehlo.multiply %157, %241 : tensor<512x256xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.reduce(%243 init: %cst_53) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %245 = stablehlo.reshape %244 : (tensor<512xf32>) -> tensor<512x1xf32>
    %246 = stablehlo.broadcast_in_dim %165, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %247 = stablehlo.multiply %241, %246 : tensor<512x256xf32>
    %248 = stablehlo.multiply %245, %168 : tensor<512x1xf32>
    %cst_54 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %250 = stablehlo.divide %248, %249 : tensor<512x1xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %251 = stablehlo.reduce(%250 init: %cst_55) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %252 = stablehlo.broadcast_in_dim %251, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %253 = stablehlo.multiply %157, %252 : tensor<512x256xf32>
    %254 = stablehlo.multiply %252, %157 : tensor<512x256xf32>
    %255 = stablehlo.add %247, %254 : tensor<512x256xf32>
    %256 = stablehlo.add %255, %253 : tensor<512x256xf32>
    %257 = stablehlo.convert %256 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %258 = stablehlo.add %216, %257 : tensor<512x256xbf16>
    %259 = stablehlo.dot_general %258, %154, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %260 = stablehlo.transpose %259, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %261 = stablehlo.dot_general %258, %arg13, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %262 = stablehlo.reshape %261 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %263 = stablehlo.transpose %262, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %264 = stablehlo.dot_general %263, %148, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xbf16>, tensor<8x512x512xbf16>) -> tensor<8x32x512xbf16>
    %265 = stablehlo.transpose %264, dims = [0, 2, 1] : (tensor<8x32x512xbf16>) -> tensor<8x512x32xbf16>
    %266 = stablehlo.dot_general %263, %129, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x512xbf16>
    %267 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %268 = stablehlo.multiply %266, %267 : tensor<8x512x512xbf16>
    %269 = stablehlo.multiply %268, %142 : tensor<8x512x512xbf16>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %270 = stablehlo.reduce(%269 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xbf16>, tensor<bf16>) -> tensor<8x512xbf16>
    %271 = stablehlo.reshape %270 : (tensor<8x512xbf16>) -> tensor<8x512x1xbf16>
    %272 = stablehlo.negate %271 : tensor<8x512x1xbf16>
    %273 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %274 = stablehlo.divide %266, %273 : tensor<8x512x512xbf16>
    %275 = stablehlo.convert %272 : (tensor<8x512x1xbf16>) -> tensor<8x512x1xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %276 = stablehlo.reduce(%275 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512xf32>
    %277 = stablehlo.broadcast_in_dim %276, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
    %278 = stablehlo.convert %277 : (tensor<8x512x512xf32>) -> tensor<8x512x512xbf16>
    %279 = stablehlo.add %274, %278 : tensor<8x512x512xbf16>
    %280 = stablehlo.multiply %279, %142 : tensor<8x512x512xbf16>
    %281 = call @_where_2(%135#1, %280) : (tensor<8x512x512xi1>, tensor<8x512x512xbf16>) -> tensor<8x512x512xbf16>
    %cst_58 = stablehlo.constant dense<1.767580e-01> : tensor<bf16>
    %282 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<bf16>) -> tensor<8x512x512xbf16>
    %283 = stablehlo.multiply %281, %282 : tensor<8x512x512xbf16>
    %284 = stablehlo.dot_general %283, %123, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x32xbf16>
    %285 = stablehlo.dot_general %283, %126, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x32xbf16>
    %286 = stablehlo.transpose %265, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %287 = stablehlo.reshape %286 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %288 = stablehlo.dot_general %287, %120, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %289 = stablehlo.transpose %288, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %290 = stablehlo.dot_general %287, %arg16, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %291 = stablehlo.transpose %284, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %292 = stablehlo.reshape %291 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %293 = stablehlo.dot_general %292, %120, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %294 = stablehlo.transpose %293, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %295 = stablehlo.dot_general %292, %arg12, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %296 = stablehlo.add %290, %295 : tensor<512x256xbf16>
    %297 = stablehlo.transpose %285, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %298 = stablehlo.reshape %297 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %299 = stablehlo.dot_general %298, %120, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %300 = stablehlo.transpose %299, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %301 = stablehlo.dot_general %298, %arg14, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %302 = stablehlo.add %296, %301 : tensor<512x256xbf16>
    %303 = stablehlo.convert %302 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %304 = stablehlo.multiply %116, %303 : tensor<512x256xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.reduce(%304 init: %cst_59) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %306 = stablehlo.reshape %305 : (tensor<256xf32>) -> tensor<1x256xf32>
    %307 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %308 = stablehlo.multiply %303, %307 : tensor<512x256xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %309 = stablehlo.reduce(%306 init: %cst_60) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %310 = stablehlo.multiply %103, %308 : tensor<512x256xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %311 = stablehlo.reduce(%310 init: %cst_61) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %312 = stablehlo.reshape %311 : (tensor<512xf32>) -> tensor<512x1xf32>
    %313 = stablehlo.broadcast_in_dim %111, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %314 = stablehlo.multiply %308, %313 : tensor<512x256xf32>
    %315 = stablehlo.multiply %312, %114 : tensor<512x1xf32>
    %cst_62 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %317 = stablehlo.divide %315, %316 : tensor<512x1xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %318 = stablehlo.reduce(%317 init: %cst_63) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %319 = stablehlo.broadcast_in_dim %318, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %320 = stablehlo.multiply %103, %319 : tensor<512x256xf32>
    %321 = stablehlo.multiply %319, %103 : tensor<512x256xf32>
    %322 = stablehlo.add %314, %321 : tensor<512x256xf32>
    %323 = stablehlo.add %322, %320 : tensor<512x256xf32>
    %324 = stablehlo.convert %323 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %325 = stablehlo.add %258, %324 : tensor<512x256xbf16>
    %326 = stablehlo.dot_general %325, %100, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x1024xbf16>) -> tensor<256x1024xbf16>
    %327 = stablehlo.transpose %326, dims = [1, 0] : (tensor<256x1024xbf16>) -> tensor<1024x256xbf16>
    %328 = stablehlo.dot_general %325, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<1024x256xbf16>) -> tensor<512x1024xbf16>
    %329 = stablehlo.multiply %79, %328 : tensor<512x1024xbf16>
    %330 = stablehlo.multiply %328, %99 : tensor<512x1024xbf16>
    %cst_64 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %331 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %332 = stablehlo.multiply %331, %329 : tensor<512x1024xbf16>
    %333 = stablehlo.multiply %332, %95 : tensor<512x1024xbf16>
    %cst_65 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %334 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %335 = stablehlo.multiply %334, %333 : tensor<512x1024xbf16>
    %336 = stablehlo.add %330, %335 : tensor<512x1024xbf16>
    %cst_66 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %337 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<bf16>) -> tensor<512x1024xbf16>
    %338 = stablehlo.multiply %337, %335 : tensor<512x1024xbf16>
    %339 = stablehlo.multiply %338, %84 : tensor<512x1024xbf16>
    %340 = stablehlo.add %336, %339 : tensor<512x1024xbf16>
    %341 = stablehlo.dot_general %340, %78, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xbf16>, tensor<512x256xbf16>) -> tensor<1024x256xbf16>
    %342 = stablehlo.transpose %341, dims = [1, 0] : (tensor<1024x256xbf16>) -> tensor<256x1024xbf16>
    %343 = stablehlo.dot_general %340, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xbf16>, tensor<256x1024xbf16>) -> tensor<512x256xbf16>
    %344 = stablehlo.convert %343 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %345 = stablehlo.multiply %74, %344 : tensor<512x256xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.reduce(%345 init: %cst_67) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %347 = stablehlo.reshape %346 : (tensor<256xf32>) -> tensor<1x256xf32>
    %348 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %349 = stablehlo.multiply %344, %348 : tensor<512x256xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %350 = stablehlo.reduce(%347 init: %cst_68) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %351 = stablehlo.multiply %61, %349 : tensor<512x256xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %352 = stablehlo.reduce(%351 init: %cst_69) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %353 = stablehlo.reshape %352 : (tensor<512xf32>) -> tensor<512x1xf32>
    %354 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %355 = stablehlo.multiply %349, %354 : tensor<512x256xf32>
    %356 = stablehlo.multiply %353, %72 : tensor<512x1xf32>
    %cst_70 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %358 = stablehlo.divide %356, %357 : tensor<512x1xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.reduce(%358 init: %cst_71) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %361 = stablehlo.multiply %61, %360 : tensor<512x256xf32>
    %362 = stablehlo.multiply %360, %61 : tensor<512x256xf32>
    %363 = stablehlo.add %355, %362 : tensor<512x256xf32>
    %364 = stablehlo.add %363, %361 : tensor<512x256xf32>
    %365 = stablehlo.convert %364 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %366 = stablehlo.add %325, %365 : tensor<512x256xbf16>
    %367 = stablehlo.dot_general %366, %58, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %368 = stablehlo.transpose %367, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %369 = stablehlo.dot_general %366, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %370 = stablehlo.reshape %369 : (tensor<512x256xbf16>) -> tensor<512x8x32xbf16>
    %371 = stablehlo.transpose %370, dims = [1, 0, 2] : (tensor<512x8x32xbf16>) -> tensor<8x512x32xbf16>
    %372 = stablehlo.dot_general %371, %52, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xbf16>, tensor<8x512x512xbf16>) -> tensor<8x32x512xbf16>
    %373 = stablehlo.transpose %372, dims = [0, 2, 1] : (tensor<8x32x512xbf16>) -> tensor<8x512x32xbf16>
    %374 = stablehlo.dot_general %371, %33, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x512x32xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x512xbf16>
    %375 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %376 = stablehlo.multiply %374, %375 : tensor<8x512x512xbf16>
    %377 = stablehlo.multiply %376, %46 : tensor<8x512x512xbf16>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %378 = stablehlo.reduce(%377 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<8x512x512xbf16>, tensor<bf16>) -> tensor<8x512xbf16>
    %379 = stablehlo.reshape %378 : (tensor<8x512xbf16>) -> tensor<8x512x1xbf16>
    %380 = stablehlo.negate %379 : tensor<8x512x1xbf16>
    %381 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<8x512x1xbf16>) -> tensor<8x512x512xbf16>
    %382 = stablehlo.divide %374, %381 : tensor<8x512x512xbf16>
    %383 = stablehlo.convert %380 : (tensor<8x512x1xbf16>) -> tensor<8x512x1xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512xf32>
    %385 = stablehlo.broadcast_in_dim %384, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
    %386 = stablehlo.convert %385 : (tensor<8x512x512xf32>) -> tensor<8x512x512xbf16>
    %387 = stablehlo.add %382, %386 : tensor<8x512x512xbf16>
    %388 = stablehlo.multiply %387, %46 : tensor<8x512x512xbf16>
    %389 = call @_where_2(%39#1, %388) : (tensor<8x512x512xi1>, tensor<8x512x512xbf16>) -> tensor<8x512x512xbf16>
    %cst_74 = stablehlo.constant dense<1.767580e-01> : tensor<bf16>
    %390 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<bf16>) -> tensor<8x512x512xbf16>
    %391 = stablehlo.multiply %389, %390 : tensor<8x512x512xbf16>
    %392 = stablehlo.dot_general %391, %27, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x32xbf16>
    %393 = stablehlo.dot_general %391, %30, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xbf16>, tensor<8x512x32xbf16>) -> tensor<8x512x32xbf16>
    %394 = stablehlo.transpose %373, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %395 = stablehlo.reshape %394 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %396 = stablehlo.dot_general %395, %24, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %397 = stablehlo.transpose %396, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %398 = stablehlo.dot_general %395, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %399 = stablehlo.transpose %392, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %400 = stablehlo.reshape %399 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %401 = stablehlo.dot_general %400, %24, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %402 = stablehlo.transpose %401, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %403 = stablehlo.dot_general %400, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %404 = stablehlo.add %398, %403 : tensor<512x256xbf16>
    %405 = stablehlo.transpose %393, dims = [1, 0, 2] : (tensor<8x512x32xbf16>) -> tensor<512x8x32xbf16>
    %406 = stablehlo.reshape %405 : (tensor<512x8x32xbf16>) -> tensor<512x256xbf16>
    %407 = stablehlo.dot_general %406, %24, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    %408 = stablehlo.transpose %407, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %409 = stablehlo.dot_general %406, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
    %410 = stablehlo.add %404, %409 : tensor<512x256xbf16>
    %411 = stablehlo.convert %410 : (tensor<512x256xbf16>) -> tensor<512x256xf32>
    %412 = stablehlo.multiply %20, %411 : tensor<512x256xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.reduce(%412 init: %cst_75) applies stablehlo.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
    %414 = stablehlo.reshape %413 : (tensor<256xf32>) -> tensor<1x256xf32>
    %415 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %416 = stablehlo.multiply %411, %415 : tensor<512x256xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.reduce(%414 init: %cst_76) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %418 = stablehlo.multiply %7, %416 : tensor<512x256xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %419 = stablehlo.reduce(%418 init: %cst_77) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
    %420 = stablehlo.reshape %419 : (tensor<512xf32>) -> tensor<512x1xf32>
    %421 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x256xf32>
    %422 = stablehlo.multiply %416, %421 : tensor<512x256xf32>
    %423 = stablehlo.multiply %420, %18 : tensor<512x1xf32>
    %cst_78 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %425 = stablehlo.divide %423, %424 : tensor<512x1xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %426 = stablehlo.reduce(%425 init: %cst_79) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %427 = stablehlo.broadcast_in_dim %426, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %428 = stablehlo.multiply %7, %427 : tensor<512x256xf32>
    %429 = stablehlo.multiply %427, %7 : tensor<512x256xf32>
    %430 = stablehlo.add %422, %429 : tensor<512x256xf32>
    %431 = stablehlo.add %430, %428 : tensor<512x256xf32>
    %432 = stablehlo.convert %431 : (tensor<512x256xf32>) -> tensor<512x256xbf16>
    %433 = stablehlo.add %366, %432 : tensor<512x256xbf16>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %434 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<bf16>) -> tensor<8192x256xbf16>
    %435 = "stablehlo.scatter"(%434, %5, %433) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg53: tensor<bf16>, %arg54: tensor<bf16>):
      %782 = stablehlo.add %arg53, %arg54 : tensor<bf16>
      stablehlo.return %782 : tensor<bf16>
    }) : (tensor<8192x256xbf16>, tensor<512x1xi32>, tensor<512x256xbf16>) -> tensor<8192x256xbf16>
    %436 = stablehlo.add %217, %435 : tensor<8192x256xbf16>
    %437 = stablehlo.convert %arg0 : (tensor<8192x256xbf16>) -> tensor<8192x256xf32>
    %438 = stablehlo.convert %arg1 : (tensor<1024x256xbf16>) -> tensor<1024x256xf32>
    %439 = stablehlo.convert %arg4 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %440 = stablehlo.convert %arg5 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %441 = stablehlo.convert %arg6 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %442 = stablehlo.convert %arg7 : (tensor<256x1024xbf16>) -> tensor<256x1024xf32>
    %443 = stablehlo.convert %arg8 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %444 = stablehlo.convert %arg9 : (tensor<1024x256xbf16>) -> tensor<1024x256xf32>
    %445 = stablehlo.convert %arg12 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %446 = stablehlo.convert %arg13 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %447 = stablehlo.convert %arg14 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %448 = stablehlo.convert %arg15 : (tensor<256x1024xbf16>) -> tensor<256x1024xf32>
    %449 = stablehlo.convert %arg16 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %450 = stablehlo.convert %436 : (tensor<8192x256xbf16>) -> tensor<8192x256xf32>
    %451 = stablehlo.convert %327 : (tensor<1024x256xbf16>) -> tensor<1024x256xf32>
    %452 = stablehlo.convert %402 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %453 = stablehlo.convert %368 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %454 = stablehlo.convert %408 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %455 = stablehlo.convert %342 : (tensor<256x1024xbf16>) -> tensor<256x1024xf32>
    %456 = stablehlo.convert %397 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %457 = stablehlo.convert %219 : (tensor<1024x256xbf16>) -> tensor<1024x256xf32>
    %458 = stablehlo.convert %294 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %459 = stablehlo.convert %260 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %460 = stablehlo.convert %300 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %461 = stablehlo.convert %234 : (tensor<256x1024xbf16>) -> tensor<256x1024xf32>
    %462 = stablehlo.convert %289 : (tensor<256x256xbf16>) -> tensor<256x256xf32>
    %cst_81 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %463 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %464 = stablehlo.multiply %463, %arg17 : tensor<8192x256xf32>
    %cst_82 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %465 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %466 = stablehlo.multiply %465, %450 : tensor<8192x256xf32>
    %467 = stablehlo.add %464, %466 : tensor<8192x256xf32>
    %cst_83 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %468 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %469 = stablehlo.multiply %468, %arg18 : tensor<1024x256xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %470 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %471 = stablehlo.multiply %470, %451 : tensor<1024x256xf32>
    %472 = stablehlo.add %469, %471 : tensor<1024x256xf32>
    %cst_85 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %474 = stablehlo.multiply %473, %arg19 : tensor<256xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %475 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %476 = stablehlo.multiply %475, %417 : tensor<256xf32>
    %477 = stablehlo.add %474, %476 : tensor<256xf32>
    %cst_87 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %479 = stablehlo.multiply %478, %arg20 : tensor<256xf32>
    %cst_88 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %480 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %481 = stablehlo.multiply %480, %350 : tensor<256xf32>
    %482 = stablehlo.add %479, %481 : tensor<256xf32>
    %cst_89 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %483 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %484 = stablehlo.multiply %483, %arg21 : tensor<256x256xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %486 = stablehlo.multiply %485, %452 : tensor<256x256xf32>
    %487 = stablehlo.add %484, %486 : tensor<256x256xf32>
    %cst_91 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %489 = stablehlo.multiply %488, %arg22 : tensor<256x256xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %491 = stablehlo.multiply %490, %453 : tensor<256x256xf32>
    %492 = stablehlo.add %489, %491 : tensor<256x256xf32>
    %cst_93 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %494 = stablehlo.multiply %493, %arg23 : tensor<256x256xf32>
    %cst_94 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %496 = stablehlo.multiply %495, %454 : tensor<256x256xf32>
    %497 = stablehlo.add %494, %496 : tensor<256x256xf32>
    %cst_95 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %498 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %499 = stablehlo.multiply %498, %arg24 : tensor<256x1024xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %501 = stablehlo.multiply %500, %455 : tensor<256x1024xf32>
    %502 = stablehlo.add %499, %501 : tensor<256x1024xf32>
    %cst_97 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %504 = stablehlo.multiply %503, %arg25 : tensor<256x256xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %506 = stablehlo.multiply %505, %456 : tensor<256x256xf32>
    %507 = stablehlo.add %504, %506 : tensor<256x256xf32>
    %cst_99 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %509 = stablehlo.multiply %508, %arg26 : tensor<1024x256xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %511 = stablehlo.multiply %510, %457 : tensor<1024x256xf32>
    %512 = stablehlo.add %509, %511 : tensor<1024x256xf32>
    %cst_101 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %513 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %514 = stablehlo.multiply %513, %arg27 : tensor<256xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %516 = stablehlo.multiply %515, %309 : tensor<256xf32>
    %517 = stablehlo.add %514, %516 : tensor<256xf32>
    %cst_103 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %518 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %519 = stablehlo.multiply %518, %arg28 : tensor<256xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %521 = stablehlo.multiply %520, %242 : tensor<256xf32>
    %522 = stablehlo.add %519, %521 : tensor<256xf32>
    %cst_105 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %524 = stablehlo.multiply %523, %arg29 : tensor<256x256xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %526 = stablehlo.multiply %525, %458 : tensor<256x256xf32>
    %527 = stablehlo.add %524, %526 : tensor<256x256xf32>
    %cst_107 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %529 = stablehlo.multiply %528, %arg30 : tensor<256x256xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %530 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %531 = stablehlo.multiply %530, %459 : tensor<256x256xf32>
    %532 = stablehlo.add %529, %531 : tensor<256x256xf32>
    %cst_109 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %533 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %534 = stablehlo.multiply %533, %arg31 : tensor<256x256xf32>
    %cst_110 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %536 = stablehlo.multiply %535, %460 : tensor<256x256xf32>
    %537 = stablehlo.add %534, %536 : tensor<256x256xf32>
    %cst_111 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %539 = stablehlo.multiply %538, %arg32 : tensor<256x1024xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %541 = stablehlo.multiply %540, %461 : tensor<256x1024xf32>
    %542 = stablehlo.add %539, %541 : tensor<256x1024xf32>
    %cst_113 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %544 = stablehlo.multiply %543, %arg33 : tensor<256x256xf32>
    %cst_114 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %545 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %546 = stablehlo.multiply %545, %462 : tensor<256x256xf32>
    %547 = stablehlo.add %544, %546 : tensor<256x256xf32>
    %cst_115 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %548 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %549 = stablehlo.multiply %548, %arg34 : tensor<8192x256xf32>
    %cst_116 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %551 = stablehlo.multiply %550, %450 : tensor<8192x256xf32>
    %552 = stablehlo.multiply %551, %450 : tensor<8192x256xf32>
    %553 = stablehlo.add %549, %552 : tensor<8192x256xf32>
    %cst_117 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %554 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %555 = stablehlo.multiply %554, %arg35 : tensor<1024x256xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %556 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %557 = stablehlo.multiply %556, %451 : tensor<1024x256xf32>
    %558 = stablehlo.multiply %557, %451 : tensor<1024x256xf32>
    %559 = stablehlo.add %555, %558 : tensor<1024x256xf32>
    %cst_119 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %560 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %561 = stablehlo.multiply %560, %arg36 : tensor<256xf32>
    %cst_120 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %562 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %563 = stablehlo.multiply %562, %417 : tensor<256xf32>
    %564 = stablehlo.multiply %563, %417 : tensor<256xf32>
    %565 = stablehlo.add %561, %564 : tensor<256xf32>
    %cst_121 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %566 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %567 = stablehlo.multiply %566, %arg37 : tensor<256xf32>
    %cst_122 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %568 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %569 = stablehlo.multiply %568, %350 : tensor<256xf32>
    %570 = stablehlo.multiply %569, %350 : tensor<256xf32>
    %571 = stablehlo.add %567, %570 : tensor<256xf32>
    %cst_123 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %572 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %573 = stablehlo.multiply %572, %arg38 : tensor<256x256xf32>
    %cst_124 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %574 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %575 = stablehlo.multiply %574, %452 : tensor<256x256xf32>
    %576 = stablehlo.multiply %575, %452 : tensor<256x256xf32>
    %577 = stablehlo.add %573, %576 : tensor<256x256xf32>
    %cst_125 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %578 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %579 = stablehlo.multiply %578, %arg39 : tensor<256x256xf32>
    %cst_126 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %580 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %581 = stablehlo.multiply %580, %453 : tensor<256x256xf32>
    %582 = stablehlo.multiply %581, %453 : tensor<256x256xf32>
    %583 = stablehlo.add %579, %582 : tensor<256x256xf32>
    %cst_127 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %584 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %585 = stablehlo.multiply %584, %arg40 : tensor<256x256xf32>
    %cst_128 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %586 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %587 = stablehlo.multiply %586, %454 : tensor<256x256xf32>
    %588 = stablehlo.multiply %587, %454 : tensor<256x256xf32>
    %589 = stablehlo.add %585, %588 : tensor<256x256xf32>
    %cst_129 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %590 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %591 = stablehlo.multiply %590, %arg41 : tensor<256x1024xf32>
    %cst_130 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %592 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %593 = stablehlo.multiply %592, %455 : tensor<256x1024xf32>
    %594 = stablehlo.multiply %593, %455 : tensor<256x1024xf32>
    %595 = stablehlo.add %591, %594 : tensor<256x1024xf32>
    %cst_131 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %596 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %597 = stablehlo.multiply %596, %arg42 : tensor<256x256xf32>
    %cst_132 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %598 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %599 = stablehlo.multiply %598, %456 : tensor<256x256xf32>
    %600 = stablehlo.multiply %599, %456 : tensor<256x256xf32>
    %601 = stablehlo.add %597, %600 : tensor<256x256xf32>
    %cst_133 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %602 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %603 = stablehlo.multiply %602, %arg43 : tensor<1024x256xf32>
    %cst_134 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %604 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %605 = stablehlo.multiply %604, %457 : tensor<1024x256xf32>
    %606 = stablehlo.multiply %605, %457 : tensor<1024x256xf32>
    %607 = stablehlo.add %603, %606 : tensor<1024x256xf32>
    %cst_135 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %608 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %609 = stablehlo.multiply %608, %arg44 : tensor<256xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %610 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %611 = stablehlo.multiply %610, %309 : tensor<256xf32>
    %612 = stablehlo.multiply %611, %309 : tensor<256xf32>
    %613 = stablehlo.add %609, %612 : tensor<256xf32>
    %cst_137 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %615 = stablehlo.multiply %614, %arg45 : tensor<256xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %616 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %617 = stablehlo.multiply %616, %242 : tensor<256xf32>
    %618 = stablehlo.multiply %617, %242 : tensor<256xf32>
    %619 = stablehlo.add %615, %618 : tensor<256xf32>
    %cst_139 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %620 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %621 = stablehlo.multiply %620, %arg46 : tensor<256x256xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %623 = stablehlo.multiply %622, %458 : tensor<256x256xf32>
    %624 = stablehlo.multiply %623, %458 : tensor<256x256xf32>
    %625 = stablehlo.add %621, %624 : tensor<256x256xf32>
    %cst_141 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %627 = stablehlo.multiply %626, %arg47 : tensor<256x256xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %628 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %629 = stablehlo.multiply %628, %459 : tensor<256x256xf32>
    %630 = stablehlo.multiply %629, %459 : tensor<256x256xf32>
    %631 = stablehlo.add %627, %630 : tensor<256x256xf32>
    %cst_143 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %632 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %633 = stablehlo.multiply %632, %arg48 : tensor<256x256xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %634 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %635 = stablehlo.multiply %634, %460 : tensor<256x256xf32>
    %636 = stablehlo.multiply %635, %460 : tensor<256x256xf32>
    %637 = stablehlo.add %633, %636 : tensor<256x256xf32>
    %cst_145 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %638 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %639 = stablehlo.multiply %638, %arg49 : tensor<256x1024xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %641 = stablehlo.multiply %640, %461 : tensor<256x1024xf32>
    %642 = stablehlo.multiply %641, %461 : tensor<256x1024xf32>
    %643 = stablehlo.add %639, %642 : tensor<256x1024xf32>
    %cst_147 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %644 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %645 = stablehlo.multiply %644, %arg50 : tensor<256x256xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %646 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %647 = stablehlo.multiply %646, %462 : tensor<256x256xf32>
    %648 = stablehlo.multiply %647, %462 : tensor<256x256xf32>
    %649 = stablehlo.add %645, %648 : tensor<256x256xf32>
    %cst_149 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %650 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %651 = stablehlo.multiply %650, %467 : tensor<8192x256xf32>
    %652 = stablehlo.sqrt %553 : tensor<8192x256xf32>
    %cst_150 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %653 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<8192x256xf32>
    %654 = stablehlo.add %652, %653 : tensor<8192x256xf32>
    %655 = stablehlo.divide %651, %654 : tensor<8192x256xf32>
    %656 = stablehlo.subtract %437, %655 : tensor<8192x256xf32>
    %cst_151 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %658 = stablehlo.multiply %657, %472 : tensor<1024x256xf32>
    %659 = stablehlo.sqrt %559 : tensor<1024x256xf32>
    %cst_152 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %660 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %661 = stablehlo.add %659, %660 : tensor<1024x256xf32>
    %662 = stablehlo.divide %658, %661 : tensor<1024x256xf32>
    %663 = stablehlo.subtract %438, %662 : tensor<1024x256xf32>
    %cst_153 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %664 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %665 = stablehlo.multiply %664, %477 : tensor<256xf32>
    %666 = stablehlo.sqrt %565 : tensor<256xf32>
    %cst_154 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %668 = stablehlo.add %666, %667 : tensor<256xf32>
    %669 = stablehlo.divide %665, %668 : tensor<256xf32>
    %670 = stablehlo.subtract %arg2, %669 : tensor<256xf32>
    %cst_155 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %672 = stablehlo.multiply %671, %482 : tensor<256xf32>
    %673 = stablehlo.sqrt %571 : tensor<256xf32>
    %cst_156 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %674 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %675 = stablehlo.add %673, %674 : tensor<256xf32>
    %676 = stablehlo.divide %672, %675 : tensor<256xf32>
    %677 = stablehlo.subtract %arg3, %676 : tensor<256xf32>
    %cst_157 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %678 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %679 = stablehlo.multiply %678, %487 : tensor<256x256xf32>
    %680 = stablehlo.sqrt %577 : tensor<256x256xf32>
    %cst_158 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %681 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %682 = stablehlo.add %680, %681 : tensor<256x256xf32>
    %683 = stablehlo.divide %679, %682 : tensor<256x256xf32>
    %684 = stablehlo.subtract %439, %683 : tensor<256x256xf32>
    %cst_159 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %686 = stablehlo.multiply %685, %492 : tensor<256x256xf32>
    %687 = stablehlo.sqrt %583 : tensor<256x256xf32>
    %cst_160 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %688 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %689 = stablehlo.add %687, %688 : tensor<256x256xf32>
    %690 = stablehlo.divide %686, %689 : tensor<256x256xf32>
    %691 = stablehlo.subtract %440, %690 : tensor<256x256xf32>
    %cst_161 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %693 = stablehlo.multiply %692, %497 : tensor<256x256xf32>
    %694 = stablehlo.sqrt %589 : tensor<256x256xf32>
    %cst_162 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %695 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %696 = stablehlo.add %694, %695 : tensor<256x256xf32>
    %697 = stablehlo.divide %693, %696 : tensor<256x256xf32>
    %698 = stablehlo.subtract %441, %697 : tensor<256x256xf32>
    %cst_163 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %700 = stablehlo.multiply %699, %502 : tensor<256x1024xf32>
    %701 = stablehlo.sqrt %595 : tensor<256x1024xf32>
    %cst_164 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %702 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %703 = stablehlo.add %701, %702 : tensor<256x1024xf32>
    %704 = stablehlo.divide %700, %703 : tensor<256x1024xf32>
    %705 = stablehlo.subtract %442, %704 : tensor<256x1024xf32>
    %cst_165 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %706 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %707 = stablehlo.multiply %706, %507 : tensor<256x256xf32>
    %708 = stablehlo.sqrt %601 : tensor<256x256xf32>
    %cst_166 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %710 = stablehlo.add %708, %709 : tensor<256x256xf32>
    %711 = stablehlo.divide %707, %710 : tensor<256x256xf32>
    %712 = stablehlo.subtract %443, %711 : tensor<256x256xf32>
    %cst_167 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %713 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %714 = stablehlo.multiply %713, %512 : tensor<1024x256xf32>
    %715 = stablehlo.sqrt %607 : tensor<1024x256xf32>
    %cst_168 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %716 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %717 = stablehlo.add %715, %716 : tensor<1024x256xf32>
    %718 = stablehlo.divide %714, %717 : tensor<1024x256xf32>
    %719 = stablehlo.subtract %444, %718 : tensor<1024x256xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %720 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %721 = stablehlo.multiply %720, %517 : tensor<256xf32>
    %722 = stablehlo.sqrt %613 : tensor<256xf32>
    %cst_170 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %723 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %724 = stablehlo.add %722, %723 : tensor<256xf32>
    %725 = stablehlo.divide %721, %724 : tensor<256xf32>
    %726 = stablehlo.subtract %arg10, %725 : tensor<256xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %728 = stablehlo.multiply %727, %522 : tensor<256xf32>
    %729 = stablehlo.sqrt %619 : tensor<256xf32>
    %cst_172 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %730 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %731 = stablehlo.add %729, %730 : tensor<256xf32>
    %732 = stablehlo.divide %728, %731 : tensor<256xf32>
    %733 = stablehlo.subtract %arg11, %732 : tensor<256xf32>
    %cst_173 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %735 = stablehlo.multiply %734, %527 : tensor<256x256xf32>
    %736 = stablehlo.sqrt %625 : tensor<256x256xf32>
    %cst_174 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %737 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %738 = stablehlo.add %736, %737 : tensor<256x256xf32>
    %739 = stablehlo.divide %735, %738 : tensor<256x256xf32>
    %740 = stablehlo.subtract %445, %739 : tensor<256x256xf32>
    %cst_175 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %741 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %742 = stablehlo.multiply %741, %532 : tensor<256x256xf32>
    %743 = stablehlo.sqrt %631 : tensor<256x256xf32>
    %cst_176 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %744 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %745 = stablehlo.add %743, %744 : tensor<256x256xf32>
    %746 = stablehlo.divide %742, %745 : tensor<256x256xf32>
    %747 = stablehlo.subtract %446, %746 : tensor<256x256xf32>
    %cst_177 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %749 = stablehlo.multiply %748, %537 : tensor<256x256xf32>
    %750 = stablehlo.sqrt %637 : tensor<256x256xf32>
    %cst_178 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %752 = stablehlo.add %750, %751 : tensor<256x256xf32>
    %753 = stablehlo.divide %749, %752 : tensor<256x256xf32>
    %754 = stablehlo.subtract %447, %753 : tensor<256x256xf32>
    %cst_179 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %755 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %756 = stablehlo.multiply %755, %542 : tensor<256x1024xf32>
    %757 = stablehlo.sqrt %643 : tensor<256x1024xf32>
    %cst_180 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %758 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %759 = stablehlo.add %757, %758 : tensor<256x1024xf32>
    %760 = stablehlo.divide %756, %759 : tensor<256x1024xf32>
    %761 = stablehlo.subtract %448, %760 : tensor<256x1024xf32>
    %cst_181 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %762 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %763 = stablehlo.multiply %762, %547 : tensor<256x256xf32>
    %764 = stablehlo.sqrt %649 : tensor<256x256xf32>
    %cst_182 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %765 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %766 = stablehlo.add %764, %765 : tensor<256x256xf32>
    %767 = stablehlo.divide %763, %766 : tensor<256x256xf32>
    %768 = stablehlo.subtract %449, %767 : tensor<256x256xf32>
    %769 = stablehlo.convert %656 : (tensor<8192x256xf32>) -> tensor<8192x256xbf16>
    %770 = stablehlo.convert %663 : (tensor<1024x256xf32>) -> tensor<1024x256xbf16>
    %771 = stablehlo.convert %684 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %772 = stablehlo.convert %691 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %773 = stablehlo.convert %698 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %774 = stablehlo.convert %705 : (tensor<256x1024xf32>) -> tensor<256x1024xbf16>
    %775 = stablehlo.convert %712 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %776 = stablehlo.convert %719 : (tensor<1024x256xf32>) -> tensor<1024x256xbf16>
    %777 = stablehlo.convert %740 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %778 = stablehlo.convert %747 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %779 = stablehlo.convert %754 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %780 = stablehlo.convert %761 : (tensor<256x1024xf32>) -> tensor<256x1024xbf16>
    %781 = stablehlo.convert %768 : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    return %769, %770, %670, %677, %771, %772, %773, %774, %775, %776, %726, %733, %777, %778, %779, %780, %781, %467, %472, %477, %482, %487, %492, %497, %502, %507, %512, %517, %522, %527, %532, %537, %542, %547, %553, %559, %565, %571, %577, %583, %589, %595, %601, %607, %613, %619, %625, %631, %637, %643, %649, %207 : tensor<8192x256xbf16>, tensor<1024x256xbf16>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xbf16>, tensor<256x256xbf16>, tensor<256x256xbf16>, tensor<256x1024xbf16>, tensor<256x256xbf16>, tensor<1024x256xbf16>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xbf16>, tensor<256x256xbf16>, tensor<256x256xbf16>, tensor<256x1024xbf16>, tensor<256x256xbf16>, tensor<8192x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<8192x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<256x256xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<512x512xi1>, %arg1: tensor<8x512x512xbf16>, %arg2: tensor<bf16>) -> (tensor<8x512x512xbf16>, tensor<8x512x512xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<512x512xi1>) -> tensor<8x512x512xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<8x512x512xbf16>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<8x512x512xi1>, tensor<8x512x512xbf16>
    return %2, %0 : tensor<8x512x512xbf16>, tensor<8x512x512xi1>
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
  func.func private @_where_2(%arg0: tensor<8x512x512xi1>, %arg1: tensor<8x512x512xbf16>) -> tensor<8x512x512xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x512x512xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x512x512xi1>, tensor<8x512x512xbf16>
    return %1 : tensor<8x512x512xbf16>
  }
}
