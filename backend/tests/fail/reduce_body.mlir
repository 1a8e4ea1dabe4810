// error: (C6) tensor<i32> does not promote to result 0 of body, tensor<f32>
func.func @main(%a: tensor<2x3xi32>, %b: tensor<i32>) -> tensor<2xf32> {
  %r = "stablehlo.reduce"(%a, %b) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
