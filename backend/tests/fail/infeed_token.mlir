// error: (C3) the last result must be a token, got tensor<f32>
func.func @main(%a: !stablehlo.token) -> tensor<f32> {
  %r = "stablehlo.infeed"(%a) {infeed_config = ""} : (!stablehlo.token) -> tensor<f32>
  return %r : tensor<f32>
}
