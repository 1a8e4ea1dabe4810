// error: (C2) start_indices has 1 elements, but the rank of operand is 2
func.func @main(%a: tensor<?x?xf32>, %b: tensor<1xi64>) -> tensor<?x?xf32> {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %b, %b) : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
