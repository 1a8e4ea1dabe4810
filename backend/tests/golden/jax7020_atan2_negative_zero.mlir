// jax-ml/jax#7020, as fixed: -pi
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %r:1 = call @program() : () -> (tensor<f32>)
    check.expect_eq_const %r#0, dense<"0xDB0F49C0"> : tensor<f32>
    return
  }
  func.func private @program() -> (tensor<f32>) {
    %cst = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %0 = stablehlo.atan2 %cst, %cst_0 : tensor<f32>
    return %0 : tensor<f32>
  }
}
