// error: (C4) the quantization dimension of the result, 0, is not where the operand's, 0, goes
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.2}>> {
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  return %r : tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
}
