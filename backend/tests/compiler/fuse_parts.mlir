// compile: v6e fuse
// Halves are taken of an array that is there, computed by one kernel, and put together by another; a sum that several need is written once.
func.func @main(%x: tensor<256x128xbf16>, %w: tensor<128x128xbf16>, %c: tensor<256x64xf32>, %s: tensor<256x64xf32>) -> (tensor<256x128xbf16>, tensor<256xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x128xbf16>, tensor<128x128xbf16>) -> tensor<256x128xbf16>
  %sum = stablehlo.add %0, %x : tensor<256x128xbf16>
  %1 = stablehlo.convert %sum : (tensor<256x128xbf16>) -> tensor<256x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.multiply %1, %1 : tensor<256x128xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x128xf32>, tensor<f32>) -> tensor<256xf32>
  %a = stablehlo.slice %1 [0:256, 0:64] : (tensor<256x128xf32>) -> tensor<256x64xf32>
  %b = stablehlo.slice %1 [0:256, 64:128] : (tensor<256x128xf32>) -> tensor<256x64xf32>
  %4 = stablehlo.multiply %a, %c : tensor<256x64xf32>
  %5 = stablehlo.multiply %b, %s : tensor<256x64xf32>
  %6 = stablehlo.subtract %4, %5 : tensor<256x64xf32>
  %7 = stablehlo.multiply %b, %c : tensor<256x64xf32>
  %8 = stablehlo.multiply %a, %s : tensor<256x64xf32>
  %9 = stablehlo.add %7, %8 : tensor<256x64xf32>
  %10 = stablehlo.concatenate %6, %9, dim = 1 : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<256x128xf32>
  %11 = stablehlo.convert %10 : (tensor<256x128xf32>) -> tensor<256x128xbf16>
  return %11, %3 : tensor<256x128xbf16>, tensor<256xf32>
}

// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.1, %Arg_1.1)
// => }
// => %fused_computation.1 (param_0.1: bf16[256,128], param_1.1: bf16[128,128]) -> (f32[256], f32[256,128]) {
// =>   %param_0.1 = bf16[256,128]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %param_1.1 = bf16[128,128]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %dot.2 = bf16[256,128]{1,0:T(8,128)(2,1)} dot(%param_0.1, %param_1.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %add.4 = bf16[256,128]{1,0:T(8,128)(2,1)} add(%dot.2, %param_0.1)
// =>   %convert.6 = f32[256,128]{1,0:T(8,128)} convert(%add.4)
// =>   %multiply.9 = f32[256,128]{1,0:T(8,128)} multiply(%convert.6, %convert.6)
// =>   %constant = f32[]{:T(128)} constant(0)
// =>   %reduce = f32[256]{0:T(256)} reduce(%multiply.9, %constant), dimensions={1}, to_apply=%region.1
// =>   ROOT %tuple.2 = (f32[256]{0:T(256)}, f32[256,128]{1,0:T(8,128)}) tuple(%reduce, %convert.6)
// => }
// => %fused_computation (param_0: f32[256,128], param_1: f32[256,64], param_2: f32[256,64]) -> (bf16[256,64], bf16[256,64]) {
// =>   %param_0 = f32[256,128]{1,0:T(8,128)} parameter(0)
// =>   %slice = f32[256,64]{1,0:T(8,128)} slice(%param_0), slice={[0:256], [0:64]}
// =>   %param_1 = f32[256,64]{1,0:T(8,128)} parameter(1)
// =>   %multiply = f32[256,64]{1,0:T(8,128)} multiply(%slice, %param_1)
// =>   %slice.3 = f32[256,64]{1,0:T(8,128)} slice(%param_0), slice={[0:256], [64:128]}
// =>   %param_2 = f32[256,64]{1,0:T(8,128)} parameter(2)
// =>   %multiply.6 = f32[256,64]{1,0:T(8,128)} multiply(%slice.3, %param_2)
// =>   %subtract = f32[256,64]{1,0:T(8,128)} subtract(%multiply, %multiply.6)
// =>   %convert.4 = bf16[256,64]{1,0:T(8,128)(2,1)} convert(%subtract)
// =>   %multiply.7 = f32[256,64]{1,0:T(8,128)} multiply(%slice.3, %param_1)
// =>   %multiply.8 = f32[256,64]{1,0:T(8,128)} multiply(%slice, %param_2)
// =>   %add = f32[256,64]{1,0:T(8,128)} add(%multiply.7, %multiply.8)
// =>   %convert.5 = bf16[256,64]{1,0:T(8,128)(2,1)} convert(%add)
// =>   ROOT %tuple = (bf16[256,64]{1,0:T(8,128)(2,1)}, bf16[256,64]{1,0:T(8,128)(2,1)}) tuple(%convert.4, %convert.5)
// => }
// => ENTRY %main.2 (Arg_0.2: bf16[256,128], Arg_1.2: bf16[128,128], Arg_2.1: f32[256,64], Arg_3.1: f32[256,64]) -> (bf16[256,128], f32[256]) {
// =>   %Arg_0.2 = bf16[256,128]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %Arg_1.2 = bf16[128,128]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %dot_reduce_fusion = (f32[256]{0:T(256)}, f32[256,128]{1,0:T(8,128)}) fusion(%Arg_0.2, %Arg_1.2), kind=kOutput, calls=%fused_computation.1
// =>   %dot_reduce_fusion.element.1 = f32[256,128]{1,0:T(8,128)} get-tuple-element(%dot_reduce_fusion), index=1
// =>   %Arg_2.1 = f32[256,64]{0,1:T(8,128)} parameter(2)
// =>   %copy = f32[256,64]{1,0:T(8,128)} copy(%Arg_2.1)
// =>   %Arg_3.1 = f32[256,64]{0,1:T(8,128)} parameter(3)
// =>   %copy.1 = f32[256,64]{1,0:T(8,128)} copy(%Arg_3.1)
// =>   %convert_fusion = (bf16[256,64]{1,0:T(8,128)(2,1)}, bf16[256,64]{1,0:T(8,128)(2,1)}) fusion(%dot_reduce_fusion.element.1, %copy, %copy.1), kind=kLoop, calls=%fused_computation
// =>   %convert_fusion.element = bf16[256,64]{1,0:T(8,128)(2,1)} get-tuple-element(%convert_fusion), index=0
// =>   %convert_fusion.element.1 = bf16[256,64]{1,0:T(8,128)(2,1)} get-tuple-element(%convert_fusion), index=1
// =>   %concatenate.2 = bf16[256,128]{1,0:T(8,128)(2,1)} concatenate(%convert_fusion.element, %convert_fusion.element.1), dimensions={1}
// =>   %dot_reduce_fusion.element = f32[256]{0:T(256)} get-tuple-element(%dot_reduce_fusion), index=0
// =>   ROOT %tuple.1 = (bf16[256,128]{1,0:T(8,128)(2,1)}, f32[256]{0:T(256)}) tuple(%concatenate.2, %dot_reduce_fusion.element)
// => }
