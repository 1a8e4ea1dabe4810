// compile: v6e
// The whole program: one operation stays as it is.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.cosine %x : tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// => ENTRY %main.1 (Arg_0.1: f32[8,128]) -> f32[8,128] {
// =>   %Arg_0.1 = f32[8,128]{1,0:T(8,128)} parameter(0)
// =>   ROOT %cosine.1 = f32[8,128]{1,0:T(8,128)} cosine(%Arg_0.1)
// => }
