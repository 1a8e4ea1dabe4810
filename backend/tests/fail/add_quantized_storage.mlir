// error: (C3) storage types must be equal, got i8 and i4
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.1:1>>, %b: tensor<2x!quant.uniform<i4:f32, 0.1>>) -> tensor<2x!quant.uniform<i8:f32, 0.1:1>> {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:1>>, tensor<2x!quant.uniform<i4:f32, 0.1>>) -> tensor<2x!quant.uniform<i8:f32, 0.1:1>>
  return %r : tensor<2x!quant.uniform<i8:f32, 0.1:1>>
}
