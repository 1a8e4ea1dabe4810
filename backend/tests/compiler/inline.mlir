// compile: v6e inline
// A call is no boundary.
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = func.call @twice(%x) : (tensor<8x128xf32>) -> tensor<8x128xf32>
  %1 = func.call @twice(%0) : (tensor<8x128xf32>) -> tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}
func.func private @twice(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// => ENTRY %main.2 (Arg_0.2: f32[8,128]) -> f32[8,128] {
// =>   %Arg_0.2 = f32[8,128]{1,0} parameter(0)
// =>   %add = f32[8,128]{1,0} add(%Arg_0.2, %Arg_0.2)
// =>   ROOT %add.2 = f32[8,128]{1,0} add(%add, %add)
// => }
