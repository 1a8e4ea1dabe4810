// error: (C4) dimension 0 of operand has size 4, but fft_length asks for 8
func.func @main(%a: tensor<4xf32>) -> tensor<5xcomplex<f32>> {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<4xf32>) -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
