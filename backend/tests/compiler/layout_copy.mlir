// compile: v6e layout
// An argument lies as it lies: a product that cannot take it so is given a copy; a result that must lie otherwise is one.
func.func @main(%q: tensor<256x4x128xbf16>, %k: tensor<4x256x128xbf16>) -> (tensor<4x256x256xbf16>, tensor<128x4x256xbf16>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<256x4x128xbf16>, tensor<4x256x128xbf16>) -> tensor<4x256x256xbf16>
  %t = stablehlo.transpose %q, dims = [2, 1, 0] : (tensor<256x4x128xbf16>) -> tensor<128x4x256xbf16>
  return %s, %t : tensor<4x256x256xbf16>, tensor<128x4x256xbf16>
}

// => ENTRY %main.1 (Arg_0.1: bf16[256,4,128], Arg_1.1: bf16[4,256,128]) -> (bf16[4,256,256], bf16[128,4,256]) {
// =>   %Arg_0.1 = bf16[256,4,128]{2,1,0:T(4,128)(2,1)} parameter(0)
// =>   %copy = bf16[256,4,128]{2,0,1:T(8,128)(2,1)} copy(%Arg_0.1)
// =>   %Arg_1.1 = bf16[4,256,128]{2,1,0:T(8,128)(2,1)} parameter(1)
// =>   %dot.1 = bf16[4,256,256]{2,1,0:T(8,128)(2,1)} dot(%copy, %Arg_1.1), lhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2}
// =>   %transpose.1 = bf16[128,4,256]{0,1,2:T(4,128)(2,1)} bitcast(%Arg_0.1)
// =>   %copy.1 = bf16[128,4,256]{2,1,0:T(4,128)(2,1)} copy(%transpose.1)
// =>   ROOT %tuple.1 = (bf16[4,256,256]{2,1,0:T(8,128)(2,1)}, bf16[128,4,256]{2,1,0:T(4,128)(2,1)}) tuple(%dot.1, %copy.1)
// => }
