// compile: v6e layout
// Scores want no head among the two dimensions that fill registers: the projection makes them so, and nothing is copied.
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<512x4x128xbf16>, %k: tensor<4x256x128xbf16>) -> tensor<4x256x256xbf16> {
  %q = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x512xbf16>, tensor<512x4x128xbf16>) -> tensor<256x4x128xbf16>
  %s = stablehlo.dot_general %q, %k, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<256x4x128xbf16>, tensor<4x256x128xbf16>) -> tensor<4x256x256xbf16>
  return %s : tensor<4x256x256xbf16>
}

// => ENTRY %main.1 (Arg_0.1: bf16[256,512], Arg_1.1: bf16[512,4,128], Arg_2.1: bf16[4,256,128]) -> bf16[4,256,256] {
// =>   %Arg_0.1 = bf16[256,512]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %Arg_1.1 = bf16[512,4,128]{2,1,0:T(4,128)(2,1)} parameter(1)
// =>   %dot.1 = bf16[256,4,128]{2,0,1:T(8,128)(2,1)} dot(%Arg_0.1, %Arg_1.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %Arg_2.1 = bf16[4,256,128]{2,1,0:T(8,128)(2,1)} parameter(2)
// =>   ROOT %dot.2 = bf16[4,256,256]{2,1,0:T(8,128)(2,1)} dot(%dot.1, %Arg_2.1), lhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2}
// => }
