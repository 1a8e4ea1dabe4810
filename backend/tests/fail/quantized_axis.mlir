// error: (quantized tensor C12) the quantization dimension 1 is not one of
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>) -> tensor<2x!quant.uniform<i8:f32:1, {0.1, 0.2}>> {
  %r = "stablehlo.optimization_barrier"(%a) : (tensor<2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>) -> tensor<2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
  return %r : tensor<2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
}
