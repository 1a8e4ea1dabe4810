// compile: v6e place
// A copy back behind a loop into a donated argument comes when nobody reads that any more.
func.func @main(%x: tensor<8x128xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c0, %a = %x, %b = %y) : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %b : tensor<8x128xf32>
    %t = stablehlo.cosine %b : tensor<8x128xf32>
    stablehlo.return %j, %s, %t : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  }
  %e = stablehlo.add %x, %r#2 : tensor<8x128xf32>
  return %r#1, %r#2, %e : tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>
}

// => %fused_computation (param_0: f32[8,128], param_1: f32[8,128]) -> (f32[8,128], f32[8,128]) {
// =>   %param_0 = f32[8,128]{1,0:T(8,128)} parameter(0)
// =>   %param_1 = f32[8,128]{1,0:T(8,128)} parameter(1)
// =>   %add = f32[8,128]{1,0:T(8,128)} add(%param_0, %param_1)
// =>   %cosine = f32[8,128]{1,0:T(8,128)} cosine(%param_1)
// =>   ROOT %tuple = (f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%add, %cosine)
// => }
// => %region.1 (arg_tuple.1: (s32[], f32[8,128], f32[8,128])) -> (s32[], f32[8,128], f32[8,128]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)S(1)}) parameter(0)
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %get-tuple-element.2 = f32[8,128]{1,0:T(8,128)S(1)} get-tuple-element(%arg_tuple.1), index=1
// =>   %get-tuple-element.3 = f32[8,128]{1,0:T(8,128)S(1)} get-tuple-element(%arg_tuple.1), index=2
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   %add_fusion = (f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)S(1)}) fusion(%get-tuple-element.2, %get-tuple-element.3), kind=kLoop, calls=%fused_computation
// =>   %add_fusion.element = f32[8,128]{1,0:T(8,128)S(1)} get-tuple-element(%add_fusion), index=0
// =>   %add_fusion.element.1 = f32[8,128]{1,0:T(8,128)S(1)} get-tuple-element(%add_fusion), index=1
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)S(1)}) tuple(%add.1, %add_fusion.element, %add_fusion.element.1)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[8,128], f32[8,128])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)S(1)}) parameter(0)
// =>   %get-tuple-element.4 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[]{:T(128)} constant(5)
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.4, %constant.2), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[8,128], Arg_1.1: f32[8,128]) -> (f32[8,128], f32[8,128], f32[8,128]) {
// =>   %Arg_0.1 = f32[8,128]{1,0:T(8,128)} parameter(0)
// =>   %copy-start = (f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(%Arg_0.1)
// =>   %Arg_1.1 = f32[8,128]{1,0:T(8,128)} parameter(1)
// =>   %copy-start.2 = (f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(%Arg_1.1)
// =>   %constant.3 = s32[]{:T(128)} constant(0)
// =>   %copy-done = f32[8,128]{1,0:T(8,128)S(1)} copy-done(%copy-start)
// =>   %copy-done.2 = f32[8,128]{1,0:T(8,128)S(1)} copy-done(%copy-start.2)
// =>   %tuple.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)S(1)}) tuple(%constant.3, %copy-done, %copy-done.2)
// =>   %while.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)S(1)}, f32[8,128]{1,0:T(8,128)S(1)}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   %get-tuple-element.5 = f32[8,128]{1,0:T(8,128)S(1)} get-tuple-element(%while.1), index=1
// =>   %copy-start.1 = (f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)S(1)}, u32[]{:S(2)}) copy-start(%get-tuple-element.5)
// =>   %get-tuple-element.6 = f32[8,128]{1,0:T(8,128)S(1)} get-tuple-element(%while.1), index=2
// =>   %add.3 = f32[8,128]{1,0:T(8,128)} add(%Arg_0.1, %get-tuple-element.6)
// =>   %copy.2 = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.6)
// =>   %copy-done.1 = f32[8,128]{1,0:T(8,128)} copy-done(%copy-start.1)
// =>   ROOT %tuple.3 = (f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%copy-done.1, %copy.2, %add.3)
// => }
