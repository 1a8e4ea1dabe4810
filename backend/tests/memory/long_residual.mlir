// XLA:CPU arguments=12582912 outputs=8388608 temporaries=16777216 aliased=0 total=37748736
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2048x1024xf32>, %arg1: tensor<1024x1024xf32>) -> (tensor<2048x1024xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2048x1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %cst_0 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2048x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<2048x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<2048x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x1024xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<2048x1024xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2048x1024xf32>
    %12 = stablehlo.dot_general %11, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<2048x1024xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<2048x1024xf32>
    %cst_3 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<2048x1024xf32>
    %17 = stablehlo.add %12, %16 : tensor<2048x1024xf32>
    %cst_4 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<2048x1024xf32>
    %20 = stablehlo.tanh %19 : tensor<2048x1024xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %22 = stablehlo.add %21, %20 : tensor<2048x1024xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<2048x1024xf32>
    %25 = stablehlo.multiply %12, %24 : tensor<2048x1024xf32>
    %26 = stablehlo.add %arg0, %25 : tensor<2048x1024xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<2048x1024xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %31 = stablehlo.divide %29, %30 : tensor<2048x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %33 = stablehlo.add %31, %32 : tensor<2048x1xf32>
    %34 = stablehlo.rsqrt %33 : tensor<2048x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x1024xf32>
    %36 = stablehlo.multiply %26, %35 : tensor<2048x1024xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<2048x1024xf32>
    %39 = stablehlo.dot_general %38, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %40 = stablehlo.multiply %39, %39 : tensor<2048x1024xf32>
    %41 = stablehlo.multiply %40, %39 : tensor<2048x1024xf32>
    %cst_11 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<2048x1024xf32>
    %44 = stablehlo.add %39, %43 : tensor<2048x1024xf32>
    %cst_12 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<2048x1024xf32>
    %47 = stablehlo.tanh %46 : tensor<2048x1024xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %49 = stablehlo.add %48, %47 : tensor<2048x1024xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<2048x1024xf32>
    %52 = stablehlo.multiply %39, %51 : tensor<2048x1024xf32>
    %53 = stablehlo.add %26, %52 : tensor<2048x1024xf32>
    %54 = stablehlo.multiply %53, %53 : tensor<2048x1024xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %cst_16 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %58 = stablehlo.divide %56, %57 : tensor<2048x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %60 = stablehlo.add %58, %59 : tensor<2048x1xf32>
    %61 = stablehlo.rsqrt %60 : tensor<2048x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x1024xf32>
    %63 = stablehlo.multiply %53, %62 : tensor<2048x1024xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %65 = stablehlo.multiply %63, %64 : tensor<2048x1024xf32>
    %66 = stablehlo.dot_general %65, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %67 = stablehlo.multiply %66, %66 : tensor<2048x1024xf32>
    %68 = stablehlo.multiply %67, %66 : tensor<2048x1024xf32>
    %cst_19 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<2048x1024xf32>
    %71 = stablehlo.add %66, %70 : tensor<2048x1024xf32>
    %cst_20 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<2048x1024xf32>
    %74 = stablehlo.tanh %73 : tensor<2048x1024xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %76 = stablehlo.add %75, %74 : tensor<2048x1024xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %78 = stablehlo.multiply %77, %76 : tensor<2048x1024xf32>
    %79 = stablehlo.multiply %66, %78 : tensor<2048x1024xf32>
    %80 = stablehlo.add %53, %79 : tensor<2048x1024xf32>
    %81 = stablehlo.multiply %80, %80 : tensor<2048x1024xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_23) applies stablehlo.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %cst_24 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %85 = stablehlo.divide %83, %84 : tensor<2048x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %87 = stablehlo.add %85, %86 : tensor<2048x1xf32>
    %88 = stablehlo.rsqrt %87 : tensor<2048x1xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x1024xf32>
    %90 = stablehlo.multiply %80, %89 : tensor<2048x1024xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %92 = stablehlo.multiply %90, %91 : tensor<2048x1024xf32>
    %93 = stablehlo.dot_general %92, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %94 = stablehlo.multiply %93, %93 : tensor<2048x1024xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<2048x1024xf32>
    %cst_27 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<2048x1024xf32>
    %98 = stablehlo.add %93, %97 : tensor<2048x1024xf32>
    %cst_28 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<2048x1024xf32>
    %101 = stablehlo.tanh %100 : tensor<2048x1024xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %103 = stablehlo.add %102, %101 : tensor<2048x1024xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<2048x1024xf32>
    %106 = stablehlo.multiply %93, %105 : tensor<2048x1024xf32>
    %107 = stablehlo.add %80, %106 : tensor<2048x1024xf32>
    %108 = stablehlo.multiply %107, %107 : tensor<2048x1024xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%108 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %cst_32 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %112 = stablehlo.divide %110, %111 : tensor<2048x1xf32>
    %cst_33 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %114 = stablehlo.add %112, %113 : tensor<2048x1xf32>
    %115 = stablehlo.rsqrt %114 : tensor<2048x1xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x1024xf32>
    %117 = stablehlo.multiply %107, %116 : tensor<2048x1024xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %119 = stablehlo.multiply %117, %118 : tensor<2048x1024xf32>
    %120 = stablehlo.dot_general %119, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %121 = stablehlo.multiply %120, %120 : tensor<2048x1024xf32>
    %122 = stablehlo.multiply %121, %120 : tensor<2048x1024xf32>
    %cst_35 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %124 = stablehlo.multiply %123, %122 : tensor<2048x1024xf32>
    %125 = stablehlo.add %120, %124 : tensor<2048x1024xf32>
    %cst_36 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %127 = stablehlo.multiply %126, %125 : tensor<2048x1024xf32>
    %128 = stablehlo.tanh %127 : tensor<2048x1024xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %130 = stablehlo.add %129, %128 : tensor<2048x1024xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %132 = stablehlo.multiply %131, %130 : tensor<2048x1024xf32>
    %133 = stablehlo.multiply %120, %132 : tensor<2048x1024xf32>
    %134 = stablehlo.add %107, %133 : tensor<2048x1024xf32>
    %135 = stablehlo.multiply %134, %134 : tensor<2048x1024xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%135 init: %cst_39) applies stablehlo.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1xf32>
    %cst_40 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %139 = stablehlo.divide %137, %138 : tensor<2048x1xf32>
    %cst_41 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2048x1xf32>
    %141 = stablehlo.add %139, %140 : tensor<2048x1xf32>
    %142 = stablehlo.rsqrt %141 : tensor<2048x1xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1] : (tensor<2048x1xf32>) -> tensor<2048x1024xf32>
    %144 = stablehlo.multiply %134, %143 : tensor<2048x1024xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %146 = stablehlo.multiply %144, %145 : tensor<2048x1024xf32>
    %147 = stablehlo.dot_general %146, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x1024xf32>, tensor<1024x1024xf32>) -> tensor<2048x1024xf32>
    %148 = stablehlo.multiply %147, %147 : tensor<2048x1024xf32>
    %149 = stablehlo.multiply %148, %147 : tensor<2048x1024xf32>
    %cst_43 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %151 = stablehlo.multiply %150, %149 : tensor<2048x1024xf32>
    %152 = stablehlo.add %147, %151 : tensor<2048x1024xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %154 = stablehlo.multiply %153, %152 : tensor<2048x1024xf32>
    %155 = stablehlo.tanh %154 : tensor<2048x1024xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %157 = stablehlo.add %156, %155 : tensor<2048x1024xf32>
    %cst_46 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2048x1024xf32>
    %159 = stablehlo.multiply %158, %157 : tensor<2048x1024xf32>
    %160 = stablehlo.multiply %147, %159 : tensor<2048x1024xf32>
    %161 = stablehlo.add %134, %160 : tensor<2048x1024xf32>
    return %161 : tensor<2048x1024xf32>
  }
}
