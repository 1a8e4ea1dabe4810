// error: (C2) permutation has 1 twice
func.func @main(%a: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
