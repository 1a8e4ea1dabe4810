// XLA:CPU arguments=19148800 outputs=18886720 temporaries=85349136 aliased=0 total=123384656
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x1024x256xf32>, %arg1: tensor<6x256xf32>, %arg2: tensor<6x256xf32>, %arg3: tensor<6x256x256xf32>, %arg4: tensor<6x256x256xf32>, %arg5: tensor<6x256x256xf32>, %arg6: tensor<6x256x1024xf32>, %arg7: tensor<6x256x256xf32>, %arg8: tensor<256x256xf32>) -> (tensor<6x1024x256xf32> {jax.result_info = "result['down']"}, tensor<6x256xf32> {jax.result_info = "result['g1']"}, tensor<6x256xf32> {jax.result_info = "result['g2']"}, tensor<6x256x256xf32> {jax.result_info = "result['k']"}, tensor<6x256x256xf32> {jax.result_info = "result['o']"}, tensor<6x256x256xf32> {jax.result_info = "result['q']"}, tensor<6x256x1024xf32> {jax.result_info = "result['up']"}, tensor<6x256x256xf32> {jax.result_info = "result['v']"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<256x256xi1>
    %1 = call @tril(%0) : (tensor<256x256xi1>) -> tensor<256x256xi1>
    %cst = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %2:2 = call @_where(%1, %cst) : (tensor<256x256xi1>, tensor<f32>) -> (tensor<8x256x256xi1>, tensor<8x256x256xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x256x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x256x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x1x256xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x8x256x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x8x256x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x8x256x256xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x8x256x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x8x256x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x8x256x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x8x256x256xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6x256x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6x256x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x1x256xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x256x1024xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x256x1024xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x256x1024xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6x256x1024xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6x256x1024xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %28:37 = stablehlo.while(%iterArg = %arg0, %iterArg_36 = %arg1, %iterArg_37 = %arg2, %iterArg_38 = %arg3, %iterArg_39 = %arg4, %iterArg_40 = %arg5, %iterArg_41 = %arg6, %iterArg_42 = %arg7, %iterArg_43 = %2#0, %iterArg_44 = %2#1, %iterArg_45 = %c_25, %iterArg_46 = %arg8, %iterArg_47 = %3, %iterArg_48 = %4, %iterArg_49 = %5, %iterArg_50 = %6, %iterArg_51 = %7, %iterArg_52 = %8, %iterArg_53 = %9, %iterArg_54 = %10, %iterArg_55 = %11, %iterArg_56 = %12, %iterArg_57 = %13, %iterArg_58 = %14, %iterArg_59 = %15, %iterArg_60 = %16, %iterArg_61 = %17, %iterArg_62 = %18, %iterArg_63 = %19, %iterArg_64 = %20, %iterArg_65 = %21, %iterArg_66 = %22, %iterArg_67 = %23, %iterArg_68 = %24, %iterArg_69 = %25, %iterArg_70 = %26, %iterArg_71 = %27) : tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>, tensor<8x256x256xi1>, tensor<8x256x256xf32>, tensor<i32>, tensor<256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>
    cond {
      %c_72 = stablehlo.constant dense<6> : tensor<i32>
      %39 = stablehlo.compare LT, %iterArg_45, %c_72, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %39 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_45) : (tensor<6x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %40 = func.call @dynamic_index_in_dim_0(%iterArg_36, %iterArg_45) : (tensor<6x256xf32>, tensor<i32>) -> tensor<256xf32>
      %41 = func.call @dynamic_index_in_dim_0(%iterArg_37, %iterArg_45) : (tensor<6x256xf32>, tensor<i32>) -> tensor<256xf32>
      %42 = func.call @dynamic_index_in_dim_1(%iterArg_38, %iterArg_45) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %43 = func.call @dynamic_index_in_dim_1(%iterArg_39, %iterArg_45) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %44 = func.call @dynamic_index_in_dim_1(%iterArg_40, %iterArg_45) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %45 = func.call @dynamic_index_in_dim_2(%iterArg_41, %iterArg_45) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %46 = func.call @dynamic_index_in_dim_1(%iterArg_42, %iterArg_45) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %47 = stablehlo.multiply %iterArg_46, %iterArg_46 : tensor<256x256xf32>
      %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %48 = stablehlo.reduce(%47 init: %cst_72) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
      %cst_73 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %51 = stablehlo.divide %49, %50 : tensor<256x1xf32>
      %cst_74 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %53 = stablehlo.add %51, %52 : tensor<256x1xf32>
      %54 = stablehlo.rsqrt %53 : tensor<256x1xf32>
      %55 = stablehlo.divide %54, %53 : tensor<256x1xf32>
      %cst_75 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %57 = stablehlo.multiply %56, %55 : tensor<256x1xf32>
      %58 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x256xf32>
      %59 = stablehlo.multiply %iterArg_46, %58 : tensor<256x256xf32>
      %60 = stablehlo.broadcast_in_dim %40, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
      %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<256x256xf32>
      %62 = stablehlo.multiply %59, %61 : tensor<256x256xf32>
      %63 = stablehlo.dot_general %62, %44, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %64 = stablehlo.reshape %63 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %65 = stablehlo.transpose %64, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %66 = stablehlo.dot_general %62, %42, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %67 = stablehlo.reshape %66 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %68 = stablehlo.transpose %67, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %69 = stablehlo.dot_general %62, %46, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %70 = stablehlo.reshape %69 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %71 = stablehlo.transpose %70, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %72 = stablehlo.dot_general %65, %68, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x256x32xf32>, tensor<8x256x32xf32>) -> tensor<8x256x256xf32>
      %cst_76 = stablehlo.constant dense<0.176776692> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8x256x256xf32>
      %74 = stablehlo.multiply %72, %73 : tensor<8x256x256xf32>
      %75 = func.call @_where_3(%74, %iterArg_43, %iterArg_44) : (tensor<8x256x256xf32>, tensor<8x256x256xi1>, tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
      %cst_77 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %76 = stablehlo.reduce(%75 init: %cst_77) applies stablehlo.maximum across dimensions = [2] : (tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256xf32>
      %cst_78 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %77 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<8x256xf32>
      %78 = stablehlo.maximum %77, %76 : tensor<8x256xf32>
      %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<8x256xf32>) -> tensor<8x256x1xf32>
      %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<8x256x1xf32>) -> tensor<8x256x256xf32>
      %81 = stablehlo.subtract %75, %80 : tensor<8x256x256xf32>
      %82 = stablehlo.exponential %81 : tensor<8x256x256xf32>
      %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %83 = stablehlo.reduce(%82 init: %cst_79) applies stablehlo.add across dimensions = [2] : (tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256xf32>
      %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<8x256xf32>) -> tensor<8x256x1xf32>
      %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<8x256x1xf32>) -> tensor<8x256x256xf32>
      %86 = stablehlo.divide %82, %85 : tensor<8x256x256xf32>
      %87 = stablehlo.multiply %84, %84 : tensor<8x256x1xf32>
      %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %88 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x256x1xf32>
      %89 = stablehlo.divide %88, %87 : tensor<8x256x1xf32>
      %90 = stablehlo.dot_general %86, %71, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x256x256xf32>, tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
      %91 = stablehlo.transpose %90, dims = [1, 0, 2] : (tensor<8x256x32xf32>) -> tensor<256x8x32xf32>
      %92 = stablehlo.reshape %91 : (tensor<256x8x32xf32>) -> tensor<256x256xf32>
      %93 = stablehlo.dot_general %92, %43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %94 = stablehlo.add %iterArg_46, %93 : tensor<256x256xf32>
      %95 = stablehlo.multiply %94, %94 : tensor<256x256xf32>
      %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %96 = stablehlo.reduce(%95 init: %cst_81) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %97 = stablehlo.broadcast_in_dim %96, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
      %cst_82 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %98 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %99 = stablehlo.divide %97, %98 : tensor<256x1xf32>
      %cst_83 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %100 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %101 = stablehlo.add %99, %100 : tensor<256x1xf32>
      %102 = stablehlo.rsqrt %101 : tensor<256x1xf32>
      %103 = stablehlo.divide %102, %101 : tensor<256x1xf32>
      %cst_84 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %104 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %105 = stablehlo.multiply %104, %103 : tensor<256x1xf32>
      %106 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x256xf32>
      %107 = stablehlo.multiply %94, %106 : tensor<256x256xf32>
      %108 = stablehlo.broadcast_in_dim %41, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
      %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<256x256xf32>
      %110 = stablehlo.multiply %107, %109 : tensor<256x256xf32>
      %111 = stablehlo.dot_general %110, %45, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
      %112 = stablehlo.multiply %111, %111 : tensor<256x1024xf32>
      %113 = stablehlo.multiply %112, %111 : tensor<256x1024xf32>
      %114 = stablehlo.multiply %111, %111 : tensor<256x1024xf32>
      %cst_85 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %115 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %116 = stablehlo.multiply %115, %114 : tensor<256x1024xf32>
      %cst_86 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %117 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %118 = stablehlo.multiply %117, %113 : tensor<256x1024xf32>
      %119 = stablehlo.add %111, %118 : tensor<256x1024xf32>
      %cst_87 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %120 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %121 = stablehlo.multiply %120, %119 : tensor<256x1024xf32>
      %122 = stablehlo.tanh %121 : tensor<256x1024xf32>
      %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %123 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %124 = stablehlo.add %123, %122 : tensor<256x1024xf32>
      %cst_89 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %125 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %126 = stablehlo.subtract %125, %122 : tensor<256x1024xf32>
      %127 = stablehlo.multiply %124, %126 : tensor<256x1024xf32>
      %cst_90 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %128 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %129 = stablehlo.add %128, %122 : tensor<256x1024xf32>
      %cst_91 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %130 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %131 = stablehlo.multiply %130, %129 : tensor<256x1024xf32>
      %132 = stablehlo.multiply %111, %131 : tensor<256x1024xf32>
      %133 = stablehlo.dot_general %132, %39, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x256xf32>) -> tensor<256x256xf32>
      %134 = stablehlo.add %94, %133 : tensor<256x256xf32>
      %135 = func.call @dynamic_update_index_in_dim(%iterArg_47, %iterArg_46, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %136 = func.call @dynamic_update_index_in_dim_4(%iterArg_48, %57, %iterArg_45) : (tensor<6x256x1xf32>, tensor<256x1xf32>, tensor<i32>) -> tensor<6x256x1xf32>
      %137 = func.call @dynamic_update_index_in_dim_4(%iterArg_49, %54, %iterArg_45) : (tensor<6x256x1xf32>, tensor<256x1xf32>, tensor<i32>) -> tensor<6x256x1xf32>
      %138 = func.call @dynamic_update_index_in_dim_5(%iterArg_50, %60, %iterArg_45) : (tensor<6x1x256xf32>, tensor<1x256xf32>, tensor<i32>) -> tensor<6x1x256xf32>
      %139 = func.call @dynamic_update_index_in_dim(%iterArg_51, %59, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %140 = func.call @dynamic_update_index_in_dim(%iterArg_52, %62, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %141 = func.call @dynamic_update_index_in_dim_6(%iterArg_53, %68, %iterArg_45) : (tensor<6x8x256x32xf32>, tensor<8x256x32xf32>, tensor<i32>) -> tensor<6x8x256x32xf32>
      %142 = func.call @dynamic_update_index_in_dim_6(%iterArg_54, %65, %iterArg_45) : (tensor<6x8x256x32xf32>, tensor<8x256x32xf32>, tensor<i32>) -> tensor<6x8x256x32xf32>
      %143 = func.call @dynamic_update_index_in_dim_7(%iterArg_55, %82, %iterArg_45) : (tensor<6x8x256x256xf32>, tensor<8x256x256xf32>, tensor<i32>) -> tensor<6x8x256x256xf32>
      %144 = func.call @dynamic_update_index_in_dim_8(%iterArg_56, %84, %iterArg_45) : (tensor<6x8x256x1xf32>, tensor<8x256x1xf32>, tensor<i32>) -> tensor<6x8x256x1xf32>
      %145 = func.call @dynamic_update_index_in_dim_8(%iterArg_57, %89, %iterArg_45) : (tensor<6x8x256x1xf32>, tensor<8x256x1xf32>, tensor<i32>) -> tensor<6x8x256x1xf32>
      %146 = func.call @dynamic_update_index_in_dim_6(%iterArg_58, %71, %iterArg_45) : (tensor<6x8x256x32xf32>, tensor<8x256x32xf32>, tensor<i32>) -> tensor<6x8x256x32xf32>
      %147 = func.call @dynamic_update_index_in_dim_7(%iterArg_59, %86, %iterArg_45) : (tensor<6x8x256x256xf32>, tensor<8x256x256xf32>, tensor<i32>) -> tensor<6x8x256x256xf32>
      %148 = func.call @dynamic_update_index_in_dim(%iterArg_60, %92, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %149 = func.call @dynamic_update_index_in_dim(%iterArg_61, %94, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %150 = func.call @dynamic_update_index_in_dim_4(%iterArg_62, %105, %iterArg_45) : (tensor<6x256x1xf32>, tensor<256x1xf32>, tensor<i32>) -> tensor<6x256x1xf32>
      %151 = func.call @dynamic_update_index_in_dim_4(%iterArg_63, %102, %iterArg_45) : (tensor<6x256x1xf32>, tensor<256x1xf32>, tensor<i32>) -> tensor<6x256x1xf32>
      %152 = func.call @dynamic_update_index_in_dim_5(%iterArg_64, %108, %iterArg_45) : (tensor<6x1x256xf32>, tensor<1x256xf32>, tensor<i32>) -> tensor<6x1x256xf32>
      %153 = func.call @dynamic_update_index_in_dim(%iterArg_65, %107, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %154 = func.call @dynamic_update_index_in_dim(%iterArg_66, %110, %iterArg_45) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %155 = func.call @dynamic_update_index_in_dim_9(%iterArg_67, %116, %iterArg_45) : (tensor<6x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<6x256x1024xf32>
      %156 = func.call @dynamic_update_index_in_dim_9(%iterArg_68, %127, %iterArg_45) : (tensor<6x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<6x256x1024xf32>
      %157 = func.call @dynamic_update_index_in_dim_9(%iterArg_69, %131, %iterArg_45) : (tensor<6x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<6x256x1024xf32>
      %158 = func.call @dynamic_update_index_in_dim_9(%iterArg_70, %111, %iterArg_45) : (tensor<6x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<6x256x1024xf32>
      %159 = func.call @dynamic_update_index_in_dim_9(%iterArg_71, %132, %iterArg_45) : (tensor<6x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<6x256x1024xf32>
      %c_92 = stablehlo.constant dense<1> : tensor<i32>
      %160 = stablehlo.add %iterArg_45, %c_92 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %160, %134, %135, %136, %137, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159 : tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>, tensor<8x256x256xi1>, tensor<8x256x256xf32>, tensor<i32>, tensor<256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>
    }
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6x1024x256xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6x256xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x256xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6x256x1024xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6x256x256xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %38:42 = stablehlo.while(%iterArg = %28#12, %iterArg_36 = %28#13, %iterArg_37 = %28#14, %iterArg_38 = %28#15, %iterArg_39 = %28#16, %iterArg_40 = %arg5, %iterArg_41 = %28#17, %iterArg_42 = %arg3, %iterArg_43 = %arg7, %iterArg_44 = %28#18, %iterArg_45 = %28#19, %iterArg_46 = %28#20, %iterArg_47 = %28#21, %iterArg_48 = %28#22, %iterArg_49 = %28#23, %iterArg_50 = %28#24, %iterArg_51 = %arg4, %iterArg_52 = %28#25, %iterArg_53 = %28#26, %iterArg_54 = %28#27, %iterArg_55 = %28#28, %iterArg_56 = %28#29, %iterArg_57 = %28#30, %iterArg_58 = %arg6, %iterArg_59 = %28#31, %iterArg_60 = %28#32, %iterArg_61 = %28#33, %iterArg_62 = %28#34, %iterArg_63 = %28#35, %iterArg_64 = %arg0, %iterArg_65 = %28#36, %iterArg_66 = %2#0, %iterArg_67 = %c_35, %iterArg_68 = %29, %iterArg_69 = %30, %iterArg_70 = %31, %iterArg_71 = %32, %iterArg_72 = %33, %iterArg_73 = %34, %iterArg_74 = %35, %iterArg_75 = %36, %iterArg_76 = %37) : tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x1024x256xf32>, tensor<6x256x1024xf32>, tensor<8x256x256xi1>, tensor<i32>, tensor<256x256xf32>, tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>
    cond {
      %c_77 = stablehlo.constant dense<6> : tensor<i32>
      %39 = stablehlo.compare LT, %iterArg_67, %c_77, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %c_77 = stablehlo.constant dense<6> : tensor<i32>
      %39 = stablehlo.subtract %c_77, %iterArg_67 : tensor<i32>
      %c_78 = stablehlo.constant dense<1> : tensor<i32>
      %40 = stablehlo.subtract %39, %c_78 : tensor<i32>
      %41 = func.call @dynamic_index_in_dim_1(%iterArg, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %42 = func.call @dynamic_index_in_dim_10(%iterArg_36, %40) : (tensor<6x256x1xf32>, tensor<i32>) -> tensor<256x1xf32>
      %43 = func.call @dynamic_index_in_dim_10(%iterArg_37, %40) : (tensor<6x256x1xf32>, tensor<i32>) -> tensor<256x1xf32>
      %44 = func.call @dynamic_index_in_dim_11(%iterArg_38, %40) : (tensor<6x1x256xf32>, tensor<i32>) -> tensor<1x256xf32>
      %45 = func.call @dynamic_index_in_dim_1(%iterArg_39, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %46 = func.call @dynamic_index_in_dim_1(%iterArg_40, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %47 = func.call @dynamic_index_in_dim_1(%iterArg_41, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %48 = func.call @dynamic_index_in_dim_1(%iterArg_42, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %49 = func.call @dynamic_index_in_dim_1(%iterArg_43, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %50 = func.call @dynamic_index_in_dim_12(%iterArg_44, %40) : (tensor<6x8x256x32xf32>, tensor<i32>) -> tensor<8x256x32xf32>
      %51 = func.call @dynamic_index_in_dim_12(%iterArg_45, %40) : (tensor<6x8x256x32xf32>, tensor<i32>) -> tensor<8x256x32xf32>
      %52 = func.call @dynamic_index_in_dim_13(%iterArg_46, %40) : (tensor<6x8x256x256xf32>, tensor<i32>) -> tensor<8x256x256xf32>
      %53 = func.call @dynamic_index_in_dim_14(%iterArg_47, %40) : (tensor<6x8x256x1xf32>, tensor<i32>) -> tensor<8x256x1xf32>
      %54 = func.call @dynamic_index_in_dim_14(%iterArg_48, %40) : (tensor<6x8x256x1xf32>, tensor<i32>) -> tensor<8x256x1xf32>
      %55 = func.call @dynamic_index_in_dim_12(%iterArg_49, %40) : (tensor<6x8x256x32xf32>, tensor<i32>) -> tensor<8x256x32xf32>
      %56 = func.call @dynamic_index_in_dim_13(%iterArg_50, %40) : (tensor<6x8x256x256xf32>, tensor<i32>) -> tensor<8x256x256xf32>
      %57 = func.call @dynamic_index_in_dim_1(%iterArg_51, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %58 = func.call @dynamic_index_in_dim_1(%iterArg_52, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %59 = func.call @dynamic_index_in_dim_1(%iterArg_53, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %60 = func.call @dynamic_index_in_dim_10(%iterArg_54, %40) : (tensor<6x256x1xf32>, tensor<i32>) -> tensor<256x1xf32>
      %61 = func.call @dynamic_index_in_dim_10(%iterArg_55, %40) : (tensor<6x256x1xf32>, tensor<i32>) -> tensor<256x1xf32>
      %62 = func.call @dynamic_index_in_dim_11(%iterArg_56, %40) : (tensor<6x1x256xf32>, tensor<i32>) -> tensor<1x256xf32>
      %63 = func.call @dynamic_index_in_dim_1(%iterArg_57, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %64 = func.call @dynamic_index_in_dim_2(%iterArg_58, %40) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %65 = func.call @dynamic_index_in_dim_1(%iterArg_59, %40) : (tensor<6x256x256xf32>, tensor<i32>) -> tensor<256x256xf32>
      %66 = func.call @dynamic_index_in_dim_2(%iterArg_60, %40) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %67 = func.call @dynamic_index_in_dim_2(%iterArg_61, %40) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %68 = func.call @dynamic_index_in_dim_2(%iterArg_62, %40) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %69 = func.call @dynamic_index_in_dim_2(%iterArg_63, %40) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %70 = func.call @dynamic_index_in_dim(%iterArg_64, %40) : (tensor<6x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %71 = func.call @dynamic_index_in_dim_2(%iterArg_65, %40) : (tensor<6x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %72 = stablehlo.dot_general %iterArg_68, %71, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
      %73 = stablehlo.transpose %72, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
      %74 = stablehlo.dot_general %iterArg_68, %70, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<1024x256xf32>) -> tensor<256x1024xf32>
      %75 = stablehlo.multiply %69, %74 : tensor<256x1024xf32>
      %76 = stablehlo.multiply %74, %68 : tensor<256x1024xf32>
      %cst_79 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %77 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %78 = stablehlo.multiply %77, %75 : tensor<256x1024xf32>
      %79 = stablehlo.multiply %78, %67 : tensor<256x1024xf32>
      %cst_80 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %80 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %81 = stablehlo.multiply %80, %79 : tensor<256x1024xf32>
      %82 = stablehlo.add %76, %81 : tensor<256x1024xf32>
      %cst_81 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %83 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %84 = stablehlo.multiply %83, %81 : tensor<256x1024xf32>
      %85 = stablehlo.multiply %84, %66 : tensor<256x1024xf32>
      %86 = stablehlo.add %82, %85 : tensor<256x1024xf32>
      %87 = stablehlo.dot_general %86, %65, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<256x256xf32>) -> tensor<1024x256xf32>
      %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
      %89 = stablehlo.dot_general %86, %64, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x256xf32>
      %90 = stablehlo.multiply %63, %89 : tensor<256x256xf32>
      %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %91 = stablehlo.reduce(%90 init: %cst_82) applies stablehlo.add across dimensions = [0] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %92 = stablehlo.reshape %91 : (tensor<256xf32>) -> tensor<1x256xf32>
      %93 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<256x256xf32>
      %94 = stablehlo.multiply %89, %93 : tensor<256x256xf32>
      %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %95 = stablehlo.reduce(%92 init: %cst_83) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %96 = stablehlo.multiply %59, %94 : tensor<256x256xf32>
      %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %97 = stablehlo.reduce(%96 init: %cst_84) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %98 = stablehlo.reshape %97 : (tensor<256xf32>) -> tensor<256x1xf32>
      %99 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x256xf32>
      %100 = stablehlo.multiply %94, %99 : tensor<256x256xf32>
      %101 = stablehlo.add %iterArg_68, %100 : tensor<256x256xf32>
      %102 = stablehlo.multiply %98, %60 : tensor<256x1xf32>
      %cst_85 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %103 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %104 = stablehlo.divide %102, %103 : tensor<256x1xf32>
      %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %105 = stablehlo.reduce(%104 init: %cst_86) applies stablehlo.add across dimensions = [1] : (tensor<256x1xf32>, tensor<f32>) -> tensor<256xf32>
      %106 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<256xf32>) -> tensor<256x256xf32>
      %107 = stablehlo.multiply %59, %106 : tensor<256x256xf32>
      %108 = stablehlo.add %101, %107 : tensor<256x256xf32>
      %109 = stablehlo.multiply %106, %59 : tensor<256x256xf32>
      %110 = stablehlo.add %108, %109 : tensor<256x256xf32>
      %111 = stablehlo.dot_general %110, %58, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %113 = stablehlo.dot_general %110, %57, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %114 = stablehlo.reshape %113 : (tensor<256x256xf32>) -> tensor<256x8x32xf32>
      %115 = stablehlo.transpose %114, dims = [1, 0, 2] : (tensor<256x8x32xf32>) -> tensor<8x256x32xf32>
      %116 = stablehlo.dot_general %115, %56, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x256x32xf32>, tensor<8x256x256xf32>) -> tensor<8x32x256xf32>
      %117 = stablehlo.transpose %116, dims = [0, 2, 1] : (tensor<8x32x256xf32>) -> tensor<8x256x32xf32>
      %118 = stablehlo.dot_general %115, %55, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x256x32xf32>, tensor<8x256x32xf32>) -> tensor<8x256x256xf32>
      %119 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<8x256x1xf32>) -> tensor<8x256x256xf32>
      %120 = stablehlo.multiply %118, %119 : tensor<8x256x256xf32>
      %121 = stablehlo.multiply %120, %52 : tensor<8x256x256xf32>
      %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %122 = stablehlo.reduce(%121 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<8x256x256xf32>, tensor<f32>) -> tensor<8x256xf32>
      %123 = stablehlo.reshape %122 : (tensor<8x256xf32>) -> tensor<8x256x1xf32>
      %124 = stablehlo.negate %123 : tensor<8x256x1xf32>
      %125 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2] : (tensor<8x256x1xf32>) -> tensor<8x256x256xf32>
      %126 = stablehlo.divide %118, %125 : tensor<8x256x256xf32>
      %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %127 = stablehlo.reduce(%124 init: %cst_88) applies stablehlo.add across dimensions = [2] : (tensor<8x256x1xf32>, tensor<f32>) -> tensor<8x256xf32>
      %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<8x256xf32>) -> tensor<8x256x256xf32>
      %129 = stablehlo.add %126, %128 : tensor<8x256x256xf32>
      %130 = stablehlo.multiply %129, %52 : tensor<8x256x256xf32>
      %131 = func.call @_where_15(%iterArg_66, %130) : (tensor<8x256x256xi1>, tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
      %cst_89 = stablehlo.constant dense<0.176776692> : tensor<f32>
      %132 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<8x256x256xf32>
      %133 = stablehlo.multiply %131, %132 : tensor<8x256x256xf32>
      %134 = stablehlo.dot_general %133, %51, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x256x256xf32>, tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
      %135 = stablehlo.dot_general %133, %50, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x256x256xf32>, tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
      %136 = stablehlo.transpose %117, dims = [1, 0, 2] : (tensor<8x256x32xf32>) -> tensor<256x8x32xf32>
      %137 = stablehlo.reshape %136 : (tensor<256x8x32xf32>) -> tensor<256x256xf32>
      %138 = stablehlo.dot_general %137, %47, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %139 = stablehlo.transpose %138, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %140 = stablehlo.dot_general %137, %49, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %141 = stablehlo.transpose %134, dims = [1, 0, 2] : (tensor<8x256x32xf32>) -> tensor<256x8x32xf32>
      %142 = stablehlo.reshape %141 : (tensor<256x8x32xf32>) -> tensor<256x256xf32>
      %143 = stablehlo.dot_general %142, %47, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %144 = stablehlo.transpose %143, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %145 = stablehlo.dot_general %142, %48, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %146 = stablehlo.add %140, %145 : tensor<256x256xf32>
      %147 = stablehlo.transpose %135, dims = [1, 0, 2] : (tensor<8x256x32xf32>) -> tensor<256x8x32xf32>
      %148 = stablehlo.reshape %147 : (tensor<256x8x32xf32>) -> tensor<256x256xf32>
      %149 = stablehlo.dot_general %148, %47, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %150 = stablehlo.transpose %149, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %151 = stablehlo.dot_general %148, %46, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %152 = stablehlo.add %146, %151 : tensor<256x256xf32>
      %153 = stablehlo.multiply %45, %152 : tensor<256x256xf32>
      %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %154 = stablehlo.reduce(%153 init: %cst_90) applies stablehlo.add across dimensions = [0] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %155 = stablehlo.reshape %154 : (tensor<256xf32>) -> tensor<1x256xf32>
      %156 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<256x256xf32>
      %157 = stablehlo.multiply %152, %156 : tensor<256x256xf32>
      %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %158 = stablehlo.reduce(%155 init: %cst_91) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %159 = stablehlo.multiply %41, %157 : tensor<256x256xf32>
      %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %160 = stablehlo.reduce(%159 init: %cst_92) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
      %161 = stablehlo.reshape %160 : (tensor<256xf32>) -> tensor<256x1xf32>
      %162 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x256xf32>
      %163 = stablehlo.multiply %157, %162 : tensor<256x256xf32>
      %164 = stablehlo.add %110, %163 : tensor<256x256xf32>
      %165 = stablehlo.multiply %161, %42 : tensor<256x1xf32>
      %cst_93 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %166 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
      %167 = stablehlo.divide %165, %166 : tensor<256x1xf32>
      %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %168 = stablehlo.reduce(%167 init: %cst_94) applies stablehlo.add across dimensions = [1] : (tensor<256x1xf32>, tensor<f32>) -> tensor<256xf32>
      %169 = stablehlo.broadcast_in_dim %168, dims = [0] : (tensor<256xf32>) -> tensor<256x256xf32>
      %170 = stablehlo.multiply %41, %169 : tensor<256x256xf32>
      %171 = stablehlo.add %164, %170 : tensor<256x256xf32>
      %172 = stablehlo.multiply %169, %41 : tensor<256x256xf32>
      %173 = stablehlo.add %171, %172 : tensor<256x256xf32>
      %174 = func.call @dynamic_update_index_in_dim_16(%iterArg_69, %73, %40) : (tensor<6x1024x256xf32>, tensor<1024x256xf32>, tensor<i32>) -> tensor<6x1024x256xf32>
      %175 = func.call @dynamic_update_index_in_dim_17(%iterArg_70, %158, %40) : (tensor<6x256xf32>, tensor<256xf32>, tensor<i32>) -> tensor<6x256xf32>
      %176 = func.call @dynamic_update_index_in_dim_17(%iterArg_71, %95, %40) : (tensor<6x256xf32>, tensor<256xf32>, tensor<i32>) -> tensor<6x256xf32>
      %177 = func.call @dynamic_update_index_in_dim(%iterArg_72, %144, %40) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %178 = func.call @dynamic_update_index_in_dim(%iterArg_73, %112, %40) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %179 = func.call @dynamic_update_index_in_dim(%iterArg_74, %150, %40) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %180 = func.call @dynamic_update_index_in_dim_9(%iterArg_75, %88, %40) : (tensor<6x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<6x256x1024xf32>
      %181 = func.call @dynamic_update_index_in_dim(%iterArg_76, %139, %40) : (tensor<6x256x256xf32>, tensor<256x256xf32>, tensor<i32>) -> tensor<6x256x256xf32>
      %c_95 = stablehlo.constant dense<1> : tensor<i32>
      %182 = stablehlo.add %iterArg_67, %c_95 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %iterArg_66, %182, %173, %174, %175, %176, %177, %178, %179, %180, %181 : tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x1xf32>, tensor<6x8x256x32xf32>, tensor<6x8x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1xf32>, tensor<6x256x1xf32>, tensor<6x1x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x256x1024xf32>, tensor<6x1024x256xf32>, tensor<6x256x1024xf32>, tensor<8x256x256xi1>, tensor<i32>, tensor<256x256xf32>, tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>
    }
    return %38#34, %38#35, %38#36, %38#37, %38#38, %38#39, %38#40, %38#41 : tensor<6x1024x256xf32>, tensor<6x256xf32>, tensor<6x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x256xf32>, tensor<6x256x1024xf32>, tensor<6x256x256xf32>
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
  func.func private @_where(%arg0: tensor<256x256xi1>, %arg1: tensor<f32>) -> (tensor<8x256x256xi1>, tensor<8x256x256xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<256x256xi1>) -> tensor<8x256x256xi1>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x256x256xf32>
    return %0, %1 : tensor<8x256x256xi1>, tensor<8x256x256xf32>
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
  func.func private @_where_3(%arg0: tensor<8x256x256xf32>, %arg1: tensor<8x256x256xi1>, %arg2: tensor<8x256x256xf32>) -> tensor<8x256x256xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<8x256x256xi1>, tensor<8x256x256xf32>
    return %0 : tensor<8x256x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x256x256xf32>, %arg1: tensor<256x256xf32>, %arg2: tensor<i32>) -> tensor<6x256x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x256xf32>) -> tensor<1x256x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x256x256xf32>, tensor<1x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x256x256xf32>
    return %1 : tensor<6x256x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<6x256x1xf32>, %arg1: tensor<256x1xf32>, %arg2: tensor<i32>) -> tensor<6x256x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x1xf32>) -> tensor<1x256x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x256x1xf32>, tensor<1x256x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x256x1xf32>
    return %1 : tensor<6x256x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<6x1x256xf32>, %arg1: tensor<1x256xf32>, %arg2: tensor<i32>) -> tensor<6x1x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x256xf32>) -> tensor<1x1x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x1x256xf32>, tensor<1x1x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x1x256xf32>
    return %1 : tensor<6x1x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<6x8x256x32xf32>, %arg1: tensor<8x256x32xf32>, %arg2: tensor<i32>) -> tensor<6x8x256x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x256x32xf32>) -> tensor<1x8x256x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x8x256x32xf32>, tensor<1x8x256x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x256x32xf32>
    return %1 : tensor<6x8x256x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<6x8x256x256xf32>, %arg1: tensor<8x256x256xf32>, %arg2: tensor<i32>) -> tensor<6x8x256x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x256x256xf32>) -> tensor<1x8x256x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x8x256x256xf32>, tensor<1x8x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x256x256xf32>
    return %1 : tensor<6x8x256x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<6x8x256x1xf32>, %arg1: tensor<8x256x1xf32>, %arg2: tensor<i32>) -> tensor<6x8x256x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x256x1xf32>) -> tensor<1x8x256x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x8x256x1xf32>, tensor<1x8x256x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x256x1xf32>
    return %1 : tensor<6x8x256x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<6x256x1024xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<i32>) -> tensor<6x256x1024xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x1024xf32>) -> tensor<1x256x1024xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x256x1024xf32>, tensor<1x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x256x1024xf32>
    return %1 : tensor<6x256x1024xf32>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<6x256x1xf32>, %arg1: tensor<i32>) -> tensor<256x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 1] : (tensor<6x256x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x1xf32>) -> tensor<256x1xf32>
    return %1 : tensor<256x1xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<6x1x256xf32>, %arg1: tensor<i32>) -> tensor<1x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 256] : (tensor<6x1x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x256xf32>) -> tensor<1x256xf32>
    return %1 : tensor<1x256xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<6x8x256x32xf32>, %arg1: tensor<i32>) -> tensor<8x256x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 256, 32] : (tensor<6x8x256x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x256x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x256x32xf32>) -> tensor<8x256x32xf32>
    return %1 : tensor<8x256x32xf32>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<6x8x256x256xf32>, %arg1: tensor<i32>) -> tensor<8x256x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 256, 256] : (tensor<6x8x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x256x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x256x256xf32>) -> tensor<8x256x256xf32>
    return %1 : tensor<8x256x256xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<6x8x256x1xf32>, %arg1: tensor<i32>) -> tensor<8x256x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 256, 1] : (tensor<6x8x256x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x256x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x256x1xf32>) -> tensor<8x256x1xf32>
    return %1 : tensor<8x256x1xf32>
  }
  func.func private @_where_15(%arg0: tensor<8x256x256xi1>, %arg1: tensor<8x256x256xf32>) -> tensor<8x256x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x256x256xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x256x256xi1>, tensor<8x256x256xf32>
    return %1 : tensor<8x256x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_16(%arg0: tensor<6x1024x256xf32>, %arg1: tensor<1024x256xf32>, %arg2: tensor<i32>) -> tensor<6x1024x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1024x256xf32>) -> tensor<1x1024x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x1024x256xf32>, tensor<1x1024x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x1024x256xf32>
    return %1 : tensor<6x1024x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_17(%arg0: tensor<6x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<i32>) -> tensor<6x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<i32>) -> tensor<6x256xf32>
    return %1 : tensor<6x256xf32>
  }
}
