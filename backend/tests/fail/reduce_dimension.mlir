// error: (C4) dimensions has 2, which is not a dimension of inputs[0] (rank 2)
func.func @main(%a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %r = "stablehlo.reduce"(%a, %b) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
