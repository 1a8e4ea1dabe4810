// compile: v6e schedule
// Results that need memory of their own: what a loop hands on of an argument that is not donated; two that are exchanged; one that is made in place
// in an argument that is donated to another.
func.func @main(%x: tensor<8x128xf32>, %y: tensor<8x128xf32> {tf.aliasing_output = 1 : i32}, %z: tensor<8x128xf32> {tf.aliasing_output = 2 : i32}, %w: tensor<8x128xf32> {tf.aliasing_output = 4 : i32}, %part: tensor<1x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %p:3 = stablehlo.while(%i = %c0, %a = %x, %b = %x) : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %b : tensor<8x128xf32>
    stablehlo.return %j, %s, %b : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  }
  %e = stablehlo.cosine %x : tensor<8x128xf32>
  %u = stablehlo.dynamic_update_slice %w, %part, %c0, %c0 : (tensor<8x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<8x128xf32>
  return %p#2, %z, %y, %p#1, %e, %u : tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>
}

// => %region.1 (arg_tuple.1: (s32[], f32[8,128], f32[8,128])) -> (s32[], f32[8,128], f32[8,128]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %get-tuple-element.2 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=1
// =>   %get-tuple-element.3 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=2
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   %add.2 = f32[8,128]{1,0:T(8,128)} add(%get-tuple-element.2, %get-tuple-element.3)
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%add.1, %add.2, %get-tuple-element.3)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[8,128], f32[8,128])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.4 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[]{:T(128)} constant(5)
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.4, %constant.2), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[8,128], Arg_1.1: f32[8,128], Arg_2.1: f32[8,128], Arg_3.1: f32[8,128], Arg_4.1: f32[1,128]) -> (f32[8,128], f32[8,128], f32[8,128], f32[8,128], f32[8,128], /*index=5*/f32[8,128]) {
// =>   %Arg_0.1 = f32[8,128]{1,0:T(8,128)} parameter(0)
// =>   %Arg_1.1 = f32[8,128]{1,0:T(8,128)} parameter(1)
// =>   %Arg_2.1 = f32[8,128]{1,0:T(8,128)} parameter(2)
// =>   %Arg_3.1 = f32[8,128]{1,0:T(8,128)} parameter(3)
// =>   %Arg_4.1 = f32[1,128]{1,0:T(1,128)} parameter(4)
// =>   %constant.3 = s32[]{:T(128)} constant(0)
// =>   %copy = f32[8,128]{1,0:T(8,128)} copy(%Arg_0.1)
// =>   %tuple.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%constant.3, %copy, %Arg_0.1)
// =>   %while.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   %dynamic-update-slice.1 = f32[8,128]{1,0:T(8,128)} dynamic-update-slice(%Arg_3.1, %Arg_4.1, %constant.3, %constant.3)
// =>   %cosine.1 = f32[8,128]{1,0:T(8,128)} cosine(%Arg_0.1)
// =>   %get-tuple-element.5 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.1), index=2
// =>   %get-tuple-element.6 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.1), index=1
// =>   %copy.1 = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.5)
// =>   %copy.2 = f32[8,128]{1,0:T(8,128)} copy(%dynamic-update-slice.1)
// =>   %copy.3 = f32[8,128]{1,0:T(8,128)} copy(%cosine.1)
// =>   %copy.4 = f32[8,128]{1,0:T(8,128)} copy(%Arg_1.1)
// =>   %copy.5 = f32[8,128]{1,0:T(8,128)} copy(%Arg_2.1)
// =>   %copy.6 = f32[8,128]{1,0:T(8,128)} copy(%copy.4)
// =>   ROOT %tuple.3 = (f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, /*index=5*/f32[8,128]{1,0:T(8,128)}) tuple(%copy.1, %copy.5, %copy.6, %get-tuple-element.6, %copy.3, /*index=5*/%copy.2)
// => }
