// error: (C1) dimension 1 has size 3, which groups of 2 do not divide
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %r = "stablehlo.reduce_scatter"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
