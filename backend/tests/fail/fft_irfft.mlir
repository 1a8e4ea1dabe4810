// error: (C5) dimension 0 of operand has size 4, but fft_length asks for 5
func.func @main(%a: tensor<4xcomplex<f32>>) -> tensor<8xf32> {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<4xcomplex<f32>>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
