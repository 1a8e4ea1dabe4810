func.func @main() -> tensor<3x40x50xf32> {
  %0 = stablehlo.iota dim = 2 : tensor<3x40x50xf32>
  return %0 : tensor<3x40x50xf32>
}
