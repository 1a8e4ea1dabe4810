// compile: v6e simplify
// Reshapes of reshapes, transposes of transposes, what is widened and narrowed again, x * 1, x ^ 2.
func.func @main(%x: tensor<8x128xbf16>) -> (tensor<128x8xbf16>, tensor<8x128xbf16>, tensor<8x128xbf16>) {
  %0 = stablehlo.reshape %x : (tensor<8x128xbf16>) -> tensor<1024xbf16>
  %1 = stablehlo.reshape %0 : (tensor<1024xbf16>) -> tensor<128x8xbf16>
  %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x128xbf16>) -> tensor<128x8xbf16>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<128x8xbf16>) -> tensor<8x128xbf16>
  %4 = stablehlo.convert %3 : (tensor<8x128xbf16>) -> tensor<8x128xf32>
  %5 = stablehlo.convert %4 : (tensor<8x128xf32>) -> tensor<8x128xbf16>
  %c = stablehlo.constant dense<1.0> : tensor<8x128xbf16>
  %6 = stablehlo.multiply %5, %c : tensor<8x128xbf16>
  %two = stablehlo.constant dense<2.0> : tensor<8x128xbf16>
  %7 = stablehlo.power %6, %two : tensor<8x128xbf16>
  return %1, %6, %7 : tensor<128x8xbf16>, tensor<8x128xbf16>, tensor<8x128xbf16>
}

// => ENTRY %main.1 (Arg_0.1: bf16[8,128]) -> (bf16[128,8], bf16[8,128], bf16[8,128]) {
// =>   %Arg_0.1 = bf16[8,128]{1,0} parameter(0)
// =>   %reshape = bf16[128,8]{1,0} reshape(%Arg_0.1)
// =>   %multiply = bf16[8,128]{1,0} multiply(%Arg_0.1, %Arg_0.1)
// =>   ROOT %tuple.1 = (bf16[128,8]{1,0}, bf16[8,128]{1,0}, bf16[8,128]{1,0}) tuple(%reshape, %Arg_0.1, %multiply)
// => }
