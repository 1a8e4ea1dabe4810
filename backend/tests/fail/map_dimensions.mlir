// error: (C3) dimensions must be all dimensions in order, got [1]
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.map"(%a) ({
    ^bb0(%x: tensor<f32>):
      stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
