// error: (einsum) `ab` has 2 letters, but lhs has rank 1
func.func @main(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.einsum"(%a, %b) {einsum_config = "ab,bc->ac"} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
