// error: (quantized tensor C13) dimension 0 has size 3, but there are 2 scales
func.func @main(%a: tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.2}>> {
  %r = "stablehlo.optimization_barrier"(%a) : (tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  return %r : tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
}
