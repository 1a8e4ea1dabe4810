// error: (C2) operand has 6 elements (tensor<2x3xf32>), but the result has 5 (tensor<5xf32>)
func.func @main(%a: tensor<2x3xf32>) -> tensor<5xf32> {
  %r = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
