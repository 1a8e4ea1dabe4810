// error: (C2) exponent_bits must be at least 1, got 0
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.reduce_precision"(%a) {exponent_bits = 0 : i32, mantissa_bits = 5 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
