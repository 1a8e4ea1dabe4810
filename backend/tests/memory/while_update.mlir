// XLA:CPU arguments=17039360 outputs=17039376 temporaries=196 aliased=0 total=34078932
// Bytes of compiled.memory_analysis(), jax 0.12.0.1, jaxlib 0.12.0.1;
// made by `cargo xtask bench --memory --record`.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x65536xf32>, %arg1: tensor<1x65536xf32>) -> (tensor<64x65536xf32> {jax.result_info = "result[0]"}, tensor<1x65536xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1) : tensor<i32>, tensor<i32>, tensor<64x65536xf32>, tensor<1x65536xf32>
    cond {
      %c_4 = stablehlo.constant dense<64> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_1, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.convert %iterArg_1 : tensor<i32>
      %c_6 = stablehlo.constant dense<64> : tensor<i32>
      %4 = stablehlo.add %3, %c_6 : tensor<i32>
      %5 = stablehlo.select %2, %4, %iterArg_1 : tensor<i1>, tensor<i32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %6 = stablehlo.dynamic_slice %iterArg_2, %5, %c_7, sizes = [1, 65536] : (tensor<64x65536xf32>, tensor<i32>, tensor<i32>) -> tensor<1x65536xf32>
      %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x65536xf32>
      %8 = stablehlo.multiply %iterArg_3, %7 : tensor<1x65536xf32>
      %9 = stablehlo.add %8, %6 : tensor<1x65536xf32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_1, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.convert %iterArg_1 : tensor<i32>
      %c_9 = stablehlo.constant dense<64> : tensor<i32>
      %12 = stablehlo.add %11, %c_9 : tensor<i32>
      %13 = stablehlo.select %10, %12, %iterArg_1 : tensor<i1>, tensor<i32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %14 = stablehlo.dynamic_update_slice %iterArg_2, %9, %13, %c_10 : (tensor<64x65536xf32>, tensor<1x65536xf32>, tensor<i32>, tensor<i32>) -> tensor<64x65536xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg, %c_11 : tensor<i32>
      stablehlo.return %15, %1, %14, %9 : tensor<i32>, tensor<i32>, tensor<64x65536xf32>, tensor<1x65536xf32>
    }
    return %0#2, %0#3 : tensor<64x65536xf32>, tensor<1x65536xf32>
  }
}
