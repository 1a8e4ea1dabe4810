// error: (C3) the operands make result 0 a tensor<3x2xf32>
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
