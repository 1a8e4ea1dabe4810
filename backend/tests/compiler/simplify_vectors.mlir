// compile: v6e simplify
// Rows with a dimension of one are vectors, what fills an array is computed before, and halves are narrowed before they are put together.
func.func @main(%x: tensor<1024xf32>, %a: tensor<1024x64xf32>) -> (tensor<1024x256xi1>, tensor<1024x256xf32>, tensor<1024x192xbf16>) {
  %rows = stablehlo.iota dim = 0 : tensor<1024x256xi32>
  %columns = stablehlo.iota dim = 1 : tensor<1024x256xi32>
  %offset = stablehlo.constant dense<512> : tensor<1024x256xi32>
  %0 = stablehlo.add %rows, %offset : tensor<1024x256xi32>
  %mask = stablehlo.compare GE, %0, %columns, SIGNED : (tensor<1024x256xi32>, tensor<1024x256xi32>) -> tensor<1024x256xi1>
  %kept = stablehlo.reshape %x : (tensor<1024xf32>) -> tensor<1024x1xf32>
  %small = stablehlo.constant dense<1.0e-6> : tensor<1024x1xf32>
  %1 = stablehlo.add %kept, %small : tensor<1024x1xf32>
  %2 = stablehlo.rsqrt %1 : tensor<1024x1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x256xf32>
  %4 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<1024x64xf32>, tensor<1024x64xf32>) -> tensor<1024x128xf32>
  %5 = stablehlo.concatenate %4, %a, dim = 1 : (tensor<1024x128xf32>, tensor<1024x64xf32>) -> tensor<1024x192xf32>
  %6 = stablehlo.convert %5 : (tensor<1024x192xf32>) -> tensor<1024x192xbf16>
  return %mask, %3, %6 : tensor<1024x256xi1>, tensor<1024x256xf32>, tensor<1024x192xbf16>
}

// => ENTRY %main.1 (Arg_0.1: f32[1024], Arg_1.1: f32[1024,64]) -> (pred[1024,256], f32[1024,256], bf16[1024,192]) {
// =>   %iota = s32[1024]{0} iota(), iota_dimension=0
// =>   %constant.1 = s32[] constant(512)
// =>   %broadcast = s32[1024]{0} broadcast(%constant.1), dimensions={}
// =>   %add = s32[1024]{0} add(%iota, %broadcast)
// =>   %broadcast.4 = s32[1024,256]{1,0} broadcast(%add), dimensions={0}
// =>   %iota.2 = s32[1024,256]{1,0} iota(), iota_dimension=1
// =>   %compare.1 = pred[1024,256]{1,0} compare(%broadcast.4, %iota.2), direction=GE
// =>   %Arg_0.1 = f32[1024]{0} parameter(0)
// =>   %constant.2 = f32[] constant(1e-06)
// =>   %broadcast.5 = f32[1024]{0} broadcast(%constant.2), dimensions={}
// =>   %add.3 = f32[1024]{0} add(%Arg_0.1, %broadcast.5)
// =>   %rsqrt = f32[1024]{0} rsqrt(%add.3)
// =>   %broadcast.3 = f32[1024,256]{1,0} broadcast(%rsqrt), dimensions={0}
// =>   %Arg_1.1 = f32[1024,64]{1,0} parameter(1)
// =>   %convert = bf16[1024,64]{1,0} convert(%Arg_1.1)
// =>   %convert.2 = bf16[1024,64]{1,0} convert(%Arg_1.1)
// =>   %convert.3 = bf16[1024,64]{1,0} convert(%Arg_1.1)
// =>   %concatenate.5 = bf16[1024,192]{1,0} concatenate(%convert, %convert.2, %convert.3), dimensions={1}
// =>   ROOT %tuple.1 = (pred[1024,256]{1,0}, f32[1024,256]{1,0}, bf16[1024,192]{1,0}) tuple(%compare.1, %broadcast.3, %concatenate.5)
// => }
