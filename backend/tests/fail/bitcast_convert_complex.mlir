// error: (C2) complex elements convert to complex ones only
func.func @main(%a: tensor<2xf64>) -> tensor<2xcomplex<f32>> {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
