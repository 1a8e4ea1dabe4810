// What `jax.scipy.linalg.qr(a, pivoting=True)` calls on the CPU: the longest column comes first.
func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %free = stablehlo.constant dense<0> : tensor<2xi32>
  %qr, %columns, %taus = "stablehlo.custom_call"(%a, %free) {call_target_name = "lapack_sgeqp3_ffi", api_version = 4 : i32, backend_config = {}} : (tensor<2x2xf32>, tensor<2xi32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %qr, dense<[[-2.0, 0.0], [1.0, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %columns, dense<[2, 1]> : tensor<2xi32>
  check.expect_eq_const %taus, dense<[1.0, 0.0]> : tensor<2xf32>
  func.return
}
