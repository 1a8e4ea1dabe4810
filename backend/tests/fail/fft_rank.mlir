// error: (C3) fft_length must have 1 to 3 elements, got 4
func.func @main(%a: tensor<1x1x1x1xcomplex<f32>>) -> tensor<1x1x1x1xcomplex<f32>> {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 1, 1, 1>} : (tensor<1x1x1x1xcomplex<f32>>) -> tensor<1x1x1x1xcomplex<f32>>
  return %r : tensor<1x1x1x1xcomplex<f32>>
}
