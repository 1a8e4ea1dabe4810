// error: (C1) dimension has 2, which is not a dimension of operand (rank 2)
func.func @main(%a: tensor<2x3xf32>) -> tensor<i32> {
  %r = "stablehlo.get_dimension_size"(%a) {dimension = 2 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  return %r : tensor<i32>
}
