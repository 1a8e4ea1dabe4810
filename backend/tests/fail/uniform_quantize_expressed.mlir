// error: (C2) the expressed type of the result must be f32, got f16
func.func @main(%a: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f16, 0.1>> {
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f16, 0.1>>
  return %r : tensor<2x!quant.uniform<i8:f16, 0.1>>
}
