// jax-ml/jax#6042, as fixed: 1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %r:1 = call @program() : () -> (tensor<3xf32>)
    check.expect_eq_const %r#0, dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>
    return
  }
  func.func private @program() -> (tensor<3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.power %0, %0 : tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}
