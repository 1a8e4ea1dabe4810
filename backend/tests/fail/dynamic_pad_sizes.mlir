// error: (C2) edge_padding_low has 1 elements, but the rank of operand is 2
func.func @main(%a: tensor<?x?xf32>, %b: tensor<f32>, %c: tensor<1xi64>) -> tensor<?x?xf32> {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %c, %c) : (tensor<?x?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
