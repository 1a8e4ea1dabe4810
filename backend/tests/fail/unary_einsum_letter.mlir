// error: (einsum) `c` of the result is in no operand
func.func @main(%a: tensor<2x3xf32>) -> tensor<2xf32> {
  %r = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->c"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
