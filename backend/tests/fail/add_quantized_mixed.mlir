// error: (C2) either all of lhs, rhs and result are quantized or none
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.1:1>>, %b: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:1>> {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:1>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:1>>
  return %r : tensor<2x!quant.uniform<i8:f32, 0.1:1>>
}
