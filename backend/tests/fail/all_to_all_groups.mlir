// error: (C8) groups of 4 must be as large as split_count, 2
func.func @main(%a: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
