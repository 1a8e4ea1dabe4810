// compile: v6e layout
// The first reshape keeps tiles whole and costs nothing, the second splits lanes.
func.func @main(%x: tensor<64x1024xf32>) -> (tensor<4x16x1024xf32>, tensor<64x8x128xf32>) {
  %0 = stablehlo.reshape %x : (tensor<64x1024xf32>) -> tensor<4x16x1024xf32>
  %1 = stablehlo.reshape %x : (tensor<64x1024xf32>) -> tensor<64x8x128xf32>
  return %0, %1 : tensor<4x16x1024xf32>, tensor<64x8x128xf32>
}

// => ENTRY %main.1 (Arg_0.1: f32[64,1024]) -> (f32[4,16,1024], f32[64,8,128]) {
// =>   %Arg_0.1 = f32[64,1024]{1,0:T(8,128)} parameter(0)
// =>   %reshape.1 = f32[4,16,1024]{2,1,0:T(8,128)} bitcast(%Arg_0.1)
// =>   %reshape.2 = f32[64,8,128]{2,1,0:T(8,128)} reshape(%Arg_0.1)
// =>   ROOT %tuple.1 = (f32[4,16,1024]{2,1,0:T(8,128)}, f32[64,8,128]{2,1,0:T(8,128)}) tuple(%reshape.1, %reshape.2)
// => }
