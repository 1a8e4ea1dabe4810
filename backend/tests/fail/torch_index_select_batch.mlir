// error: (C2) batch_dims 2 must be between 0 and dim 1
func.func @main(%a: tensor<3x4xf32>, %b: tensor<2xi32>) -> tensor<3x2xf32> {
  %r = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, batch_dims = 2 : i64} : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
