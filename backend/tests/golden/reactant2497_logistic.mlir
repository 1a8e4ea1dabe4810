// EnzymeAD/Reactant.jl#2497: f64 exp is f32-class, 1.6e-8 relative
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %r:1 = call @program() : () -> (tensor<f64>)
    "check.expect_almost_eq_const"(%r#0) <{value = dense<"0x60C6F5185636D13F"> : tensor<f64>, tolerance = 5.00e-09 : f64}> : (tensor<f64>) -> ()
    return
  }
  func.func private @program() -> (tensor<f64>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = stablehlo.exponential %cst : tensor<f64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %1 = stablehlo.add %cst_0, %0 : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.divide %cst_1, %1 : tensor<f64>
    return %2 : tensor<f64>
  }
}
