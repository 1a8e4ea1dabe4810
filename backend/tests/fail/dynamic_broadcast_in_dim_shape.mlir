// error: (C7) output_dimensions has 1 elements, but the result has rank 2
func.func @main(%a: tensor<?xf32>, %b: tensor<1xi64>) -> tensor<?x?xf32> {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
