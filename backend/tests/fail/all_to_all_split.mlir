// error: (C2) dimension 1 has size 3, which 2 does not divide
func.func @main(%a: tensor<2x3xf32>) -> tensor<4x1xf32> {
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
