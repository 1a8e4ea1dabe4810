// error: (I1) lhs must be a tensor of type f32 or f64
func.func @main(%a: tensor<2xf16>, %b: tensor<2xf16>) -> tensor<2xcomplex<f32>> {
  %r = "stablehlo.complex"(%a, %b) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
