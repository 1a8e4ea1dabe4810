// The loop reads a broadcast that stands outside of it; what was broadcast is gone by then.
func.func @main() {
  %a = stablehlo.constant dense<[3, -4]> : tensor<2xi32>
  %x = stablehlo.optimization_barrier %a : tensor<2xi32>
  %y = stablehlo.negate %x : tensor<2xi32>
  %b = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<2xi32>) -> tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %b) : tensor<i32>, tensor<2x3xi32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.abs %b : tensor<2x3xi32>
    %t = stablehlo.add %s, %v : tensor<2x3xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<2x3xi32>
  }
  check.expect_eq_const %r#1, dense<[[3, 3, 3], [12, 12, 12]]> : tensor<2x3xi32>
  func.return
}
