// error: (C1) the inferred type and result must have the same shape
func.func @main(%a: tensor<3xf32>, %b: tensor<i32>) -> tensor<4xf32> {
  %r = "stablehlo.set_dimension_size"(%a, %b) {dimension = 0 : i64} : (tensor<3xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
