// compile: v6e flat
// Heads that are normalized are columns of one product; others stay as they are.
func.func @main(%x: tensor<256x512xbf16>, %q: tensor<512x4x128xbf16>, %v: tensor<512x4x128xbf16>) -> (tensor<256x4xf32>, tensor<256x4x128xbf16>) {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<256x512xbf16>, tensor<512x4x128xbf16>) -> tensor<256x4x128xbf16>
  %1 = stablehlo.convert %0 : (tensor<256x4x128xbf16>) -> tensor<256x4x128xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<256x4x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<256x4x128xf32>, tensor<f32>) -> tensor<256x4xf32>
  %4 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<256x512xbf16>, tensor<512x4x128xbf16>) -> tensor<256x4x128xbf16>
  return %3, %4 : tensor<256x4xf32>, tensor<256x4x128xbf16>
}

// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.1, %Arg_1.1)
// => }
// => ENTRY %main.2 (Arg_0.2: bf16[256,512], Arg_1.2: bf16[512,4,128], Arg_2.1: bf16[512,4,128]) -> (f32[256,4], bf16[256,4,128]) {
// =>   %Arg_0.2 = bf16[256,512]{1,0} parameter(0)
// =>   %Arg_1.2 = bf16[512,4,128]{2,1,0} parameter(1)
// =>   %reshape = bf16[512,512]{1,0} reshape(%Arg_1.2)
// =>   %dot.4 = bf16[256,512]{1,0} dot(%Arg_0.2, %reshape), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %reshape.1 = bf16[256,4,128]{2,1,0} reshape(%dot.4)
// =>   %convert.1 = f32[256,4,128]{2,1,0} convert(%reshape.1)
// =>   %multiply.1 = f32[256,4,128]{2,1,0} multiply(%convert.1, %convert.1)
// =>   %constant.1 = f32[] constant(0)
// =>   %reduce.1 = f32[256,4]{1,0} reduce(%multiply.1, %constant.1), dimensions={2}, to_apply=%region.1
// =>   %Arg_2.1 = bf16[512,4,128]{2,1,0} parameter(2)
// =>   %dot.2 = bf16[256,4,128]{2,1,0} dot(%Arg_0.2, %Arg_2.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   ROOT %tuple.1 = (f32[256,4]{1,0}, bf16[256,4,128]{2,1,0}) tuple(%reduce.1, %dot.2)
// => }
