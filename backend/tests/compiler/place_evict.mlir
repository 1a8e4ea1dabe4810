// compile: v6e place
// What the next kernel reads, and others need in HBM much later or as a result, is made in VMEM and copied to HBM beside the kernels behind.
func.func @main(%x: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>, %v: tensor<1024x1024xbf16>) -> (tensor<1024x1024xbf16>, tensor<1024x1024xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %b = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xf32>
  return %a, %b : tensor<1024x1024xbf16>, tensor<1024x1024xf32>
}

// => ENTRY %main.1 (Arg_0.1: bf16[1024,1024], Arg_1.1: bf16[1024,1024], Arg_2.1: bf16[1024,1024]) -> (bf16[1024,1024], f32[1024,1024]) {
// =>   %Arg_0.1 = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %copy-start = (bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_0.1), cross_program_prefetch_index=0
// =>   %Arg_1.1 = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %Arg_2.1 = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(2)
// =>   %copy-start.1 = (bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_2.1)
// =>   %copy-done = bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)} copy-done(%copy-start)
// =>   %dot.1 = bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)} dot(%copy-done, %Arg_1.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %copy-start.2 = (bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)}, u32[]{:S(2)}) copy-start(%dot.1)
// =>   %copy-done.1 = bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)} copy-done(%copy-start.1)
// =>   %dot.2 = f32[1024,1024]{1,0:T(8,128)} dot(%dot.1, %copy-done.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %copy-done.2 = bf16[1024,1024]{1,0:T(8,128)(2,1)} copy-done(%copy-start.2)
// =>   ROOT %tuple.1 = (bf16[1024,1024]{1,0:T(8,128)(2,1)}, f32[1024,1024]{1,0:T(8,128)}) tuple(%copy-done.2, %dot.2)
// => }
