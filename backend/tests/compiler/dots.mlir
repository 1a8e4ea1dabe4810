// compile: v6e dots
// A product of a vector is a multiplication and a sum on the vector unit, in f32.
func.func @main(%x: tensor<1x512xbf16>, %w: tensor<512x256xbf16>) -> tensor<1x256xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x512xbf16>, tensor<512x256xbf16>) -> tensor<1x256xbf16>
  return %0 : tensor<1x256xbf16>
}

// => %add_of (argument: f32[], argument.1: f32[]) -> f32[] {
// =>   %argument = f32[] parameter(0)
// =>   %argument.1 = f32[] parameter(1)
// =>   ROOT %add = f32[] add(%argument, %argument.1)
// => }
// => ENTRY %main.1 (Arg_0.1: bf16[1,512], Arg_1.1: bf16[512,256]) -> bf16[1,256] {
// =>   %Arg_1.1 = bf16[512,256]{1,0} parameter(1)
// =>   %convert.1 = f32[512,256]{1,0} convert(%Arg_1.1)
// =>   %Arg_0.1 = bf16[1,512]{1,0} parameter(0)
// =>   %transpose = bf16[512,1]{1,0} transpose(%Arg_0.1), dimensions={1,0}
// =>   %reshape = bf16[512]{0} reshape(%transpose)
// =>   %convert = f32[512]{0} convert(%reshape)
// =>   %broadcast = f32[512,256]{1,0} broadcast(%convert), dimensions={0}
// =>   %multiply = f32[512,256]{1,0} multiply(%convert.1, %broadcast)
// =>   %constant = f32[] constant(0)
// =>   %reduce = f32[256]{0} reduce(%multiply, %constant), dimensions={0}, to_apply=%add_of
// =>   %reshape.1 = f32[1,256]{1,0} reshape(%reduce)
// =>   ROOT %convert.2 = bf16[1,256]{1,0} convert(%reshape.1)
// => }
