// error: (C1) lhs and rhs must have the same shape: dimension 1 is 3 in lhs and 4 in rhs
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
