// error: (C1) from 32 to 8 bits, the last dimension of result must be 32 / 8, got 3
func.func @main(%a: tensor<2xf32>) -> tensor<2x3xi8> {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}
