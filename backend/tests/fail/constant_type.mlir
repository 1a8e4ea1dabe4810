// error: (C1) the operands make result 0 a tensor<2xf32>
func.func @main() -> tensor<3xf32> {
  %r = "stablehlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return %r : tensor<3xf32>
}
