// error: (I1) operand must be a tensor of signed integer, floating-point, complex or per-tensor quantized type
func.func @main(%a: tensor<2xui32>) -> tensor<2xui32> {
  %r = "stablehlo.abs"(%a) : (tensor<2xui32>) -> tensor<2xui32>
  return %r : tensor<2xui32>
}
