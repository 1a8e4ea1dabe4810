// error: (C2) Fft does not take elements of tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
