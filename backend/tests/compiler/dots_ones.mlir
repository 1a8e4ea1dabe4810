// compile: v6e dots
// Dimensions of one are no dimensions of a product: a batch of one, and a group of one head. A single column stays one.
func.func @main(%q: tensor<1x64x4x1x32xbf16>, %k: tensor<1x64x4x32xbf16>, %w: tensor<64x32x1xbf16>) -> (tensor<1x4x64x1x64xf32>, tensor<1x64x1x64x1xf32>) {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<1x64x4x1x32xbf16>, tensor<1x64x4x32xbf16>) -> tensor<1x4x64x1x64xf32>
  %h = stablehlo.slice %q [0:1, 0:64, 0:1, 0:1, 0:32] : (tensor<1x64x4x1x32xbf16>) -> tensor<1x64x1x1x32xbf16>
  %g = stablehlo.reshape %h : (tensor<1x64x1x1x32xbf16>) -> tensor<1x64x1x32xbf16>
  %c = stablehlo.dot_general %g, %w, contracting_dims = [3] x [1] : (tensor<1x64x1x32xbf16>, tensor<64x32x1xbf16>) -> tensor<1x64x1x64x1xf32>
  return %s, %c : tensor<1x4x64x1x64xf32>, tensor<1x64x1x64x1xf32>
}

// => ENTRY %main.1 (Arg_0.1: bf16[1,64,4,1,32], Arg_1.1: bf16[1,64,4,32], Arg_2.1: bf16[64,32,1]) -> (f32[1,4,64,1,64], f32[1,64,1,64,1]) {
// =>   %Arg_0.1 = bf16[1,64,4,1,32]{4,3,2,1,0} parameter(0)
// =>   %reshape = bf16[64,4,32]{2,1,0} reshape(%Arg_0.1)
// =>   %Arg_1.1 = bf16[1,64,4,32]{3,2,1,0} parameter(1)
// =>   %reshape.2 = bf16[64,4,32]{2,1,0} reshape(%Arg_1.1)
// =>   %dot = f32[4,64,64]{2,1,0} dot(%reshape, %reshape.2), lhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2}
// =>   %reshape.3 = f32[1,4,64,1,64]{4,3,2,1,0} reshape(%dot)
// =>   %slice.1 = bf16[1,64,1,1,32]{4,3,2,1,0} slice(%Arg_0.1), slice={[0:1], [0:64], [0:1], [0:1], [0:32]}
// =>   %reshape.1 = bf16[1,64,1,32]{3,2,1,0} reshape(%slice.1)
// =>   %reshape.4 = bf16[64,32]{1,0} reshape(%reshape.1)
// =>   %Arg_2.1 = bf16[64,32,1]{2,1,0} parameter(2)
// =>   %reshape.5 = bf16[64,32]{1,0} reshape(%Arg_2.1)
// =>   %dot.3 = f32[64,64]{1,0} dot(%reshape.4, %reshape.5), lhs_contracting_dims={1}, rhs_contracting_dims={1}
// =>   %reshape.6 = f32[1,64,1,64,1]{4,3,2,1,0} reshape(%dot.3)
// =>   ROOT %tuple.1 = (f32[1,4,64,1,64]{4,3,2,1,0}, f32[1,64,1,64,1]{4,3,2,1,0}) tuple(%reshape.3, %reshape.6)
// => }
