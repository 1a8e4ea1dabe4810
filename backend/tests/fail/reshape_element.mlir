// error: (C1) operand and result must have the same element type
func.func @main(%a: tensor<2x3xf32>) -> tensor<6xi32> {
  %r = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}
