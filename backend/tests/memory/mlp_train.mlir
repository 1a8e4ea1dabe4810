// XLA:CPU arguments=63228928 outputs=62966940 temporaries=0 aliased=0 total=126195868
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x2048xf32>, %arg1: tensor<2048xf32>, %arg2: tensor<2048x2048xf32>, %arg3: tensor<2048xf32>, %arg4: tensor<2048x256xf32>, %arg5: tensor<256xf32>, %arg6: tensor<256x2048xf32>, %arg7: tensor<2048xf32>, %arg8: tensor<2048x2048xf32>, %arg9: tensor<2048xf32>, %arg10: tensor<2048x256xf32>, %arg11: tensor<256xf32>, %arg12: tensor<256x2048xf32>, %arg13: tensor<2048xf32>, %arg14: tensor<2048x2048xf32>, %arg15: tensor<2048xf32>, %arg16: tensor<2048x256xf32>, %arg17: tensor<256xf32>, %arg18: tensor<128x256xf32>, %arg19: tensor<128x256xf32>) -> (tensor<256x2048xf32> {jax.result_info = "result[0][0][0]"}, tensor<2048xf32> {jax.result_info = "result[0][0][1]"}, tensor<2048x2048xf32> {jax.result_info = "result[0][1][0]"}, tensor<2048xf32> {jax.result_info = "result[0][1][1]"}, tensor<2048x256xf32> {jax.result_info = "result[0][2][0]"}, tensor<256xf32> {jax.result_info = "result[0][2][1]"}, tensor<256x2048xf32> {jax.result_info = "result[1][0][0]"}, tensor<2048xf32> {jax.result_info = "result[1][0][1]"}, tensor<2048x2048xf32> {jax.result_info = "result[1][1][0]"}, tensor<2048xf32> {jax.result_info = "result[1][1][1]"}, tensor<2048x256xf32> {jax.result_info = "result[1][2][0]"}, tensor<256xf32> {jax.result_info = "result[1][2][1]"}, tensor<256x2048xf32> {jax.result_info = "result[2][0][0]"}, tensor<2048xf32> {jax.result_info = "result[2][0][1]"}, tensor<2048x2048xf32> {jax.result_info = "result[2][1][0]"}, tensor<2048xf32> {jax.result_info = "result[2][1][1]"}, tensor<2048x256xf32> {jax.result_info = "result[2][2][0]"}, tensor<256xf32> {jax.result_info = "result[2][2][1]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.dot_general %arg18, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x256xf32>, tensor<256x2048xf32>) -> tensor<128x2048xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x2048xf32>) -> tensor<128x2048xf32>
    %3 = stablehlo.add %0, %2 : tensor<128x2048xf32>
    %4 = call @relu(%3) : (tensor<128x2048xf32>) -> tensor<128x2048xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x2048xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<128x2048xf32>, tensor<128x2048xf32>) -> tensor<128x2048xi1>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x2048xf32>, tensor<2048x2048xf32>) -> tensor<128x2048xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x2048xf32>) -> tensor<128x2048xf32>
    %10 = stablehlo.add %7, %9 : tensor<128x2048xf32>
    %11 = call @relu(%10) : (tensor<128x2048xf32>) -> tensor<128x2048xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<128x2048xf32>
    %13 = stablehlo.compare GT, %10, %12, FLOAT : (tensor<128x2048xf32>, tensor<128x2048xf32>) -> tensor<128x2048xi1>
    %14 = stablehlo.dot_general %11, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x2048xf32>, tensor<2048x256xf32>) -> tensor<128x256xf32>
    %15 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<128x256xf32>
    %17 = stablehlo.add %14, %16 : tensor<128x256xf32>
    %18 = stablehlo.subtract %17, %arg19 : tensor<128x256xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<128x256xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<128x256xf32>
    %21 = stablehlo.multiply %20, %18 : tensor<128x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<128x256xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<3.276800e+04> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<3.276800e+04> : tensor<f32>
    %24 = stablehlo.divide %cst_4, %cst_5 : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<128x256xf32>
    %26 = stablehlo.multiply %25, %21 : tensor<128x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %28 = stablehlo.reshape %27 : (tensor<256xf32>) -> tensor<1x256xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %30 = stablehlo.dot_general %26, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x256xf32>, tensor<128x2048xf32>) -> tensor<256x2048xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<256x2048xf32>) -> tensor<2048x256xf32>
    %32 = stablehlo.dot_general %26, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x256xf32>, tensor<2048x256xf32>) -> tensor<128x2048xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<128x2048xf32>
    %34 = stablehlo.select %13, %32, %33 : tensor<128x2048xi1>, tensor<128x2048xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<128x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %36 = stablehlo.reshape %35 : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %38 = stablehlo.dot_general %34, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x2048xf32>, tensor<128x2048xf32>) -> tensor<2048x2048xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0] : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    %40 = stablehlo.dot_general %34, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x2048xf32>, tensor<2048x2048xf32>) -> tensor<128x2048xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<128x2048xf32>
    %42 = stablehlo.select %6, %40, %41 : tensor<128x2048xi1>, tensor<128x2048xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<128x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %44 = stablehlo.reshape %43 : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %46 = stablehlo.dot_general %42, %arg18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x2048xf32>, tensor<128x256xf32>) -> tensor<2048x256xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<2048x256xf32>) -> tensor<256x2048xf32>
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<256x2048xf32>
    %49 = stablehlo.multiply %48, %arg6 : tensor<256x2048xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<256x2048xf32>
    %51 = stablehlo.multiply %50, %47 : tensor<256x2048xf32>
    %52 = stablehlo.add %49, %51 : tensor<256x2048xf32>
    %cst_16 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %54 = stablehlo.multiply %53, %arg7 : tensor<2048xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %56 = stablehlo.multiply %55, %45 : tensor<2048xf32>
    %57 = stablehlo.add %54, %56 : tensor<2048xf32>
    %cst_18 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %59 = stablehlo.multiply %58, %arg8 : tensor<2048x2048xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %61 = stablehlo.multiply %60, %39 : tensor<2048x2048xf32>
    %62 = stablehlo.add %59, %61 : tensor<2048x2048xf32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %64 = stablehlo.multiply %63, %arg9 : tensor<2048xf32>
    %cst_21 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %66 = stablehlo.multiply %65, %37 : tensor<2048xf32>
    %67 = stablehlo.add %64, %66 : tensor<2048xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %69 = stablehlo.multiply %68, %arg10 : tensor<2048x256xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %71 = stablehlo.multiply %70, %31 : tensor<2048x256xf32>
    %72 = stablehlo.add %69, %71 : tensor<2048x256xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %74 = stablehlo.multiply %73, %arg11 : tensor<256xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %76 = stablehlo.multiply %75, %29 : tensor<256xf32>
    %77 = stablehlo.add %74, %76 : tensor<256xf32>
    %cst_26 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<256x2048xf32>
    %79 = stablehlo.multiply %78, %arg12 : tensor<256x2048xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<256x2048xf32>
    %81 = stablehlo.multiply %80, %47 : tensor<256x2048xf32>
    %82 = stablehlo.multiply %81, %47 : tensor<256x2048xf32>
    %83 = stablehlo.add %79, %82 : tensor<256x2048xf32>
    %cst_28 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %85 = stablehlo.multiply %84, %arg13 : tensor<2048xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %87 = stablehlo.multiply %86, %45 : tensor<2048xf32>
    %88 = stablehlo.multiply %87, %45 : tensor<2048xf32>
    %89 = stablehlo.add %85, %88 : tensor<2048xf32>
    %cst_30 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %91 = stablehlo.multiply %90, %arg14 : tensor<2048x2048xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %93 = stablehlo.multiply %92, %39 : tensor<2048x2048xf32>
    %94 = stablehlo.multiply %93, %39 : tensor<2048x2048xf32>
    %95 = stablehlo.add %91, %94 : tensor<2048x2048xf32>
    %cst_32 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %97 = stablehlo.multiply %96, %arg15 : tensor<2048xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %99 = stablehlo.multiply %98, %37 : tensor<2048xf32>
    %100 = stablehlo.multiply %99, %37 : tensor<2048xf32>
    %101 = stablehlo.add %97, %100 : tensor<2048xf32>
    %cst_34 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %103 = stablehlo.multiply %102, %arg16 : tensor<2048x256xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %105 = stablehlo.multiply %104, %31 : tensor<2048x256xf32>
    %106 = stablehlo.multiply %105, %31 : tensor<2048x256xf32>
    %107 = stablehlo.add %103, %106 : tensor<2048x256xf32>
    %cst_36 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %109 = stablehlo.multiply %108, %arg17 : tensor<256xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %111 = stablehlo.multiply %110, %29 : tensor<256xf32>
    %112 = stablehlo.multiply %111, %29 : tensor<256xf32>
    %113 = stablehlo.add %109, %112 : tensor<256xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<256x2048xf32>
    %115 = stablehlo.multiply %114, %52 : tensor<256x2048xf32>
    %116 = stablehlo.sqrt %83 : tensor<256x2048xf32>
    %cst_39 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<256x2048xf32>
    %118 = stablehlo.add %116, %117 : tensor<256x2048xf32>
    %119 = stablehlo.divide %115, %118 : tensor<256x2048xf32>
    %120 = stablehlo.subtract %arg0, %119 : tensor<256x2048xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %122 = stablehlo.multiply %121, %57 : tensor<2048xf32>
    %123 = stablehlo.sqrt %89 : tensor<2048xf32>
    %cst_41 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %125 = stablehlo.add %123, %124 : tensor<2048xf32>
    %126 = stablehlo.divide %122, %125 : tensor<2048xf32>
    %127 = stablehlo.subtract %arg1, %126 : tensor<2048xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %129 = stablehlo.multiply %128, %62 : tensor<2048x2048xf32>
    %130 = stablehlo.sqrt %95 : tensor<2048x2048xf32>
    %cst_43 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2048x2048xf32>
    %132 = stablehlo.add %130, %131 : tensor<2048x2048xf32>
    %133 = stablehlo.divide %129, %132 : tensor<2048x2048xf32>
    %134 = stablehlo.subtract %arg2, %133 : tensor<2048x2048xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %136 = stablehlo.multiply %135, %67 : tensor<2048xf32>
    %137 = stablehlo.sqrt %101 : tensor<2048xf32>
    %cst_45 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %139 = stablehlo.add %137, %138 : tensor<2048xf32>
    %140 = stablehlo.divide %136, %139 : tensor<2048xf32>
    %141 = stablehlo.subtract %arg3, %140 : tensor<2048xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %143 = stablehlo.multiply %142, %72 : tensor<2048x256xf32>
    %144 = stablehlo.sqrt %107 : tensor<2048x256xf32>
    %cst_47 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2048x256xf32>
    %146 = stablehlo.add %144, %145 : tensor<2048x256xf32>
    %147 = stablehlo.divide %143, %146 : tensor<2048x256xf32>
    %148 = stablehlo.subtract %arg4, %147 : tensor<2048x256xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %150 = stablehlo.multiply %149, %77 : tensor<256xf32>
    %151 = stablehlo.sqrt %113 : tensor<256xf32>
    %cst_49 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %153 = stablehlo.add %151, %152 : tensor<256xf32>
    %154 = stablehlo.divide %150, %153 : tensor<256xf32>
    %155 = stablehlo.subtract %arg5, %154 : tensor<256xf32>
    return %120, %127, %134, %141, %148, %155, %52, %57, %62, %67, %72, %77, %83, %89, %95, %101, %107, %113, %23 : tensor<256x2048xf32>, tensor<2048xf32>, tensor<2048x2048xf32>, tensor<2048xf32>, tensor<2048x256xf32>, tensor<256xf32>, tensor<256x2048xf32>, tensor<2048xf32>, tensor<2048x2048xf32>, tensor<2048xf32>, tensor<2048x256xf32>, tensor<256xf32>, tensor<256x2048xf32>, tensor<2048xf32>, tensor<2048x2048xf32>, tensor<2048xf32>, tensor<2048x256xf32>, tensor<256xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<128x2048xf32>) -> tensor<128x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x2048xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<128x2048xf32>
    return %1 : tensor<128x2048xf32>
  }
}
