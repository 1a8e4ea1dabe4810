// compile: v7x dots
// Here the matrix units take it.
func.func @main(%x: tensor<1x512xbf16>, %w: tensor<512x256xbf16>) -> tensor<1x256xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x512xbf16>, tensor<512x256xbf16>) -> tensor<1x256xbf16>
  return %0 : tensor<1x256xbf16>
}

// => ENTRY %main.1 (Arg_0.1: bf16[1,512], Arg_1.1: bf16[512,256]) -> bf16[1,256] {
// =>   %Arg_0.1 = bf16[1,512]{1,0} parameter(0)
// =>   %Arg_1.1 = bf16[512,256]{1,0} parameter(1)
// =>   ROOT %dot.1 = bf16[1,256]{1,0} dot(%Arg_0.1, %Arg_1.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// => }
