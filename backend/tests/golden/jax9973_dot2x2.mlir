// jax-ml/jax#9973: operands rounded to bf16, f32 sums
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %r:1 = call @program() : () -> (tensor<2x2xf32>)
    check.expect_eq_const %r#0, dense<"0x803A323E000AC63D80E4583E804BDD3D"> : tensor<2x2xf32>
    return
  }
  func.func private @program() -> (tensor<2x2xf32>) {
    %cst = stablehlo.constant dense<[[3.744000e-01, 1.656000e-01], [4.707000e-01, 1.663000e-01]]> : tensor<2x2xf32>
    %cst_0 = stablehlo.constant dense<[[3.946000e-01, 1.186000e-01], [1.569000e-01, 3.145000e-01]]> : tensor<2x2xf32>
    %0 = stablehlo.dot_general %cst, %cst_0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
