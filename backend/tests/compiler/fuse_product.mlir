// compile: v6e fuse
// What follows a product elementwise, and what its operand needs, is its kernel's.
func.func @main(%x: tensor<256x512xf32>, %w: tensor<512x256xbf16>, %b: tensor<256xbf16>) -> tensor<256x256xbf16> {
  %0 = stablehlo.convert %x : (tensor<256x512xf32>) -> tensor<256x512xbf16>
  %1 = stablehlo.tanh %0 : tensor<256x512xbf16>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<256x512xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
  %3 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xbf16>) -> tensor<256x256xbf16>
  %4 = stablehlo.add %2, %3 : tensor<256x256xbf16>
  return %4 : tensor<256x256xbf16>
}

// => %fused_computation (param_0: f32[256,512], param_1: bf16[512,256], param_2: bf16[256]) -> bf16[256,256] {
// =>   %param_0 = f32[256,512]{1,0:T(8,128)} parameter(0)
// =>   %convert = bf16[256,512]{1,0:T(8,128)(2,1)} convert(%param_0)
// =>   %tanh = bf16[256,512]{1,0:T(8,128)(2,1)} tanh(%convert)
// =>   %param_1 = bf16[512,256]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %dot.2 = bf16[256,256]{1,0:T(8,128)(2,1)} dot(%tanh, %param_1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %param_2 = bf16[256]{0:T(256)(128)(2,1)} parameter(2)
// =>   %broadcast = bf16[256,256]{1,0:T(8,128)(2,1)} broadcast(%param_2), dimensions={1}
// =>   ROOT %add = bf16[256,256]{1,0:T(8,128)(2,1)} add(%dot.2, %broadcast)
// => }
// => ENTRY %main.1 (Arg_0.1: f32[256,512], Arg_1.1: bf16[512,256], Arg_2.1: bf16[256]) -> bf16[256,256] {
// =>   %Arg_0.1 = f32[256,512]{1,0:T(8,128)} parameter(0)
// =>   %Arg_1.1 = bf16[512,256]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %Arg_2.1 = bf16[256]{0:T(256)(128)(2,1)} parameter(2)
// =>   ROOT %dot_add_fusion = bf16[256,256]{1,0:T(8,128)(2,1)} fusion(%Arg_0.1, %Arg_1.1, %Arg_2.1), kind=kOutput, calls=%fused_computation
// => }
