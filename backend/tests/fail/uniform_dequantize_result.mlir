// error: (C2) the operands make result 0 a tensor<2xf32>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.1:1>>) -> tensor<2xf16> {
  %r = "stablehlo.uniform_dequantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.1:1>>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}
