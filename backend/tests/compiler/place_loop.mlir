// compile: v6e place
// Of two loops, what the first carries stays in VMEM, and so does what the second changes in place, as it is copied for the loop anyway; it goes
// back behind it. A row comes from another row of the same array, so a kernel of its own writes it.
func.func @main(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>, %rows: tensor<64x1024xf32>) -> (tensor<512x512xbf16>, tensor<64x1024xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c0, %h = %x, %v = %w) : tensor<i32>, tensor<512x512xbf16>, tensor<512x512xbf16>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %y = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y, %v : tensor<i32>, tensor<512x512xbf16>, tensor<512x512xbf16>
  }
  %q:2 = stablehlo.while(%i = %c0, %ys = %rows) : tensor<i32>, tensor<64x1024xf32>
  cond {
    %n = stablehlo.constant dense<63> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %b = stablehlo.dynamic_slice %ys, %i, %z, sizes = [1, 1024] : (tensor<64x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1024xf32>
    %a = stablehlo.add %b, %b : tensor<1x1024xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.dynamic_update_slice %ys, %a, %j, %z : (tensor<64x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<64x1024xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<64x1024xf32>
  }
  return %r#1, %q#1 : tensor<512x512xbf16>, tensor<64x1024xf32>
}

// => %region.1 (arg_tuple.1: (s32[], bf16[512,512], bf16[512,512])) -> (s32[], bf16[512,512], bf16[512,512]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}) parameter(0)
// =>   %get-tuple-element.2 = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} get-tuple-element(%arg_tuple.1), index=1
// =>   %get-tuple-element.3 = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} get-tuple-element(%arg_tuple.1), index=2
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %copy = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} copy(%get-tuple-element.2)
// =>   %dot.1 = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} dot(%copy, %get-tuple-element.3), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}) tuple(%add.1, %dot.1, %get-tuple-element.3)
// => }
// => %region.2 (arg_tuple.2: (s32[], bf16[512,512], bf16[512,512])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}) parameter(0)
// =>   %get-tuple-element.4 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[]{:T(128)} constant(8)
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.4, %constant.2), direction=LT
// => }
// => %fused_computation (param_0: f32[64,1024], param_1: s32[]) -> f32[1,1024] {
// =>   %param_0 = f32[64,1024]{1,0:T(8,128)} parameter(0)
// =>   %param_1 = s32[]{:T(128)} parameter(1)
// =>   %constant = s32[]{:T(128)} constant(0)
// =>   %dynamic-slice = f32[1,1024]{1,0:T(1,128)} dynamic-slice(%param_0, %param_1, %constant), dynamic_slice_sizes={1,1024}
// =>   ROOT %add = f32[1,1024]{1,0:T(1,128)} add(%dynamic-slice, %dynamic-slice)
// => }
// => %region.3 (arg_tuple.3: (s32[], f32[64,1024])) -> (s32[], f32[64,1024]) {
// =>   %arg_tuple.3 = (s32[]{:T(128)}, f32[64,1024]{1,0:T(8,128)S(1)}) parameter(0)
// =>   %get-tuple-element.6 = f32[64,1024]{1,0:T(8,128)S(1)} get-tuple-element(%arg_tuple.3), index=1
// =>   %get-tuple-element.5 = s32[]{:T(128)} get-tuple-element(%arg_tuple.3), index=0
// =>   %constant.4 = s32[]{:T(128)} constant(0)
// =>   %constant.3 = s32[]{:T(128)} constant(1)
// =>   %add_fusion = f32[1,1024]{1,0:T(1,128)S(1)} fusion(%get-tuple-element.6, %get-tuple-element.5), kind=kLoop, calls=%fused_computation
// =>   %add.2 = s32[]{:T(128)} add(%get-tuple-element.5, %constant.3)
// =>   %dynamic-update-slice.1 = f32[64,1024]{1,0:T(8,128)S(1)} dynamic-update-slice(%get-tuple-element.6, %add_fusion, %add.2, %constant.4)
// =>   ROOT %tuple.2 = (s32[]{:T(128)}, f32[64,1024]{1,0:T(8,128)S(1)}) tuple(%add.2, %dynamic-update-slice.1)
// => }
// => %region.4 (arg_tuple.4: (s32[], f32[64,1024])) -> pred[] {
// =>   %arg_tuple.4 = (s32[]{:T(128)}, f32[64,1024]{1,0:T(8,128)S(1)}) parameter(0)
// =>   %get-tuple-element.7 = s32[]{:T(128)} get-tuple-element(%arg_tuple.4), index=0
// =>   %constant.5 = s32[]{:T(128)} constant(63)
// =>   ROOT %compare.2 = pred[]{:T(512)} compare(%get-tuple-element.7, %constant.5), direction=LT
// => }
// => ENTRY %main.5 (Arg_0.1: bf16[512,512], Arg_1.1: bf16[512,512], Arg_2.1: f32[64,1024]) -> (bf16[512,512], f32[64,1024]) {
// =>   %Arg_0.1 = bf16[512,512]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %copy-start = (bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_0.1)
// =>   %Arg_1.1 = bf16[512,512]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %copy-start.2 = (bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_1.1)
// =>   %Arg_2.1 = f32[64,1024]{1,0:T(8,128)} parameter(2)
// =>   %copy-start.3 = (f32[64,1024]{1,0:T(8,128)S(1)}, f32[64,1024]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(%Arg_2.1)
// =>   %constant.6 = s32[]{:T(128)} constant(0)
// =>   %copy-done = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} copy-done(%copy-start)
// =>   %copy-done.2 = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} copy-done(%copy-start.2)
// =>   %tuple.3 = (s32[]{:T(128)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}) tuple(%constant.6, %copy-done, %copy-done.2)
// =>   %while.1 = (s32[]{:T(128)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}) while(%tuple.3), condition=%region.2, body=%region.1
// =>   %get-tuple-element.8 = bf16[512,512]{1,0:T(8,128)(2,1)S(1)} get-tuple-element(%while.1), index=1
// =>   %copy-start.1 = (bf16[512,512]{1,0:T(8,128)(2,1)}, bf16[512,512]{1,0:T(8,128)(2,1)S(1)}, u32[]{:S(2)}) copy-start(%get-tuple-element.8)
// =>   %copy-done.3 = f32[64,1024]{1,0:T(8,128)S(1)} copy-done(%copy-start.3)
// =>   %tuple.4 = (s32[]{:T(128)}, f32[64,1024]{1,0:T(8,128)S(1)}) tuple(%constant.6, %copy-done.3)
// =>   %while.2 = (s32[]{:T(128)}, f32[64,1024]{1,0:T(8,128)S(1)}) while(%tuple.4), condition=%region.4, body=%region.3
// =>   %get-tuple-element.9 = f32[64,1024]{1,0:T(8,128)S(1)} get-tuple-element(%while.2), index=1
// =>   %copy-start.4 = (f32[64,1024]{1,0:T(8,128)}, f32[64,1024]{1,0:T(8,128)S(1)}, u32[]{:S(2)}) copy-start(%get-tuple-element.9)
// =>   %copy-done.1 = bf16[512,512]{1,0:T(8,128)(2,1)} copy-done(%copy-start.1)
// =>   %copy-done.4 = f32[64,1024]{1,0:T(8,128)} copy-done(%copy-start.4)
// =>   ROOT %tuple.5 = (bf16[512,512]{1,0:T(8,128)(2,1)}, f32[64,1024]{1,0:T(8,128)}) tuple(%copy-done.1, %copy-done.4)
// => }
