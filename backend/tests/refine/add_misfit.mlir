// args: tensor<3xf32>; tensor<4xf32>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = stablehlo.add %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}

// => error: stablehlo.add: (C1) lhs and rhs must have the same shape: dimension 0 is 3 in lhs and 4 in rhs
