// error: (C1) lhs and rhs must have the same shape: dimension 0 is ?<=3 in lhs and 4 in rhs
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.add"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
