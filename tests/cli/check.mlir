func.func @main() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xf32>
  check.expect_eq %0, %1 : tensor<2xf32>
  return
}
