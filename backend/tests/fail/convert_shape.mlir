// error: (C1) operand and result must have the same shape
func.func @main(%a: tensor<2x3xf32>) -> tensor<3x2xi32> {
  %r = "stablehlo.convert"(%a) : (tensor<2x3xf32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
