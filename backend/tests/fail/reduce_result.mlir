// error: (C7) the operands make result 0 a tensor<2xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<3xf32> {
  %r = "stablehlo.reduce"(%a, %b) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
