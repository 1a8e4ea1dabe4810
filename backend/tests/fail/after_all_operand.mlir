// error: (I1) every input must be a token, got tensor<f32>
func.func @main(%a: tensor<f32>) -> !stablehlo.token {
  %r = "stablehlo.after_all"(%a) : (tensor<f32>) -> !stablehlo.token
  return %r : !stablehlo.token
}
