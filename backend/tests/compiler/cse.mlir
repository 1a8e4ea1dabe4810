// compile: v6e cse
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.exponential %x : tensor<8x128xf32>
  %1 = stablehlo.exponential %x : tensor<8x128xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x128xf32>
  return %2 : tensor<8x128xf32>
}

// => ENTRY %main.1 (Arg_0.1: f32[8,128]) -> f32[8,128] {
// =>   %Arg_0.1 = f32[8,128]{1,0} parameter(0)
// =>   %exponential.1 = f32[8,128]{1,0} exponential(%Arg_0.1)
// =>   ROOT %add.1 = f32[8,128]{1,0} add(%exponential.1, %exponential.1)
// => }
