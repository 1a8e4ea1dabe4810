// error: (C2) output_shape has 2 elements, but the result has rank 1
func.func @main(%a: tensor<2xi64>) -> tensor<?xi32> {
  %r = "stablehlo.dynamic_iota"(%a) {iota_dimension = 0 : i64} : (tensor<2xi64>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
