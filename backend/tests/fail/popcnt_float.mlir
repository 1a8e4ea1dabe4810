// error: (I1) operand must be a tensor of integer type
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.popcnt"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
