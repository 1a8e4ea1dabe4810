// error: (C3) a has matrices of size 2, but b has 3 there
func.func @main(%a: tensor<2x2xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
