// compile: v6e copies
// An iteration still reads its array when the next one is made of it: it reads a copy. The first argument is not donated, so it is copied before it is
// changed; the second result lies in its donated argument, which the loop still reads, so it is copied there behind the loop.
func.func @main(%cache: tensor<16x1024xf32>, %x: tensor<1024x1024xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<16x1024xf32>, tensor<1024x1024xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%i = %c0, %h = %x, %w = %x, %ys = %cache) : tensor<i32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<16x1024xf32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %b = stablehlo.slice %y [0:1, 0:1024] : (tensor<1024x1024xf32>) -> tensor<1x1024xf32>
    %t = stablehlo.dynamic_update_slice %ys, %b, %i, %z : (tensor<16x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<16x1024xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y, %w, %t : tensor<i32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<16x1024xf32>
  }
  return %r#3, %r#1 : tensor<16x1024xf32>, tensor<1024x1024xf32>
}

// => %fused_computation (param_0: f32[1024,1024], param_1: f32[16,1024], param_2: s32[]) -> f32[16,1024] {
// =>   %param_1 = f32[16,1024]{1,0:T(8,128)} parameter(1)
// =>   %param_0 = f32[1024,1024]{1,0:T(8,128)} parameter(0)
// =>   %slice = f32[1,1024]{1,0:T(1,128)} slice(%param_0), slice={[0:1], [0:1024]}
// =>   %param_2 = s32[]{:T(128)} parameter(2)
// =>   %constant = s32[]{:T(128)} constant(0)
// =>   ROOT %dynamic-update-slice = f32[16,1024]{1,0:T(8,128)} dynamic-update-slice(%param_1, %slice, %param_2, %constant)
// => }
// => %region.1 (arg_tuple.1: (s32[], f32[1024,1024], f32[1024,1024], f32[16,1024])) -> (s32[], f32[1024,1024], f32[1024,1024], f32[16,1024]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)}, f32[16,1024]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   %get-tuple-element.2 = f32[1024,1024]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=1
// =>   %copy = f32[1024,1024]{1,0:T(8,128)} copy(%get-tuple-element.2)
// =>   %get-tuple-element.3 = f32[1024,1024]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=2
// =>   %dot.1 = f32[1024,1024]{1,0:T(8,128)} dot(%copy, %get-tuple-element.3), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %get-tuple-element.4 = f32[16,1024]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=3
// =>   %dynamic_update_slice_fusion = f32[16,1024]{1,0:T(8,128)} fusion(%dot.1, %get-tuple-element.4, %get-tuple-element.1), kind=kLoop, calls=%fused_computation
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)}, f32[16,1024]{1,0:T(8,128)}) tuple(%add.1, %dot.1, %get-tuple-element.3, %dynamic_update_slice_fusion)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[1024,1024], f32[1024,1024], f32[16,1024])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)}, f32[16,1024]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.5 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.3 = s32[]{:T(128)} constant(8)
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.5, %constant.3), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[16,1024], Arg_1.1: f32[1024,1024]) -> (f32[16,1024], f32[1024,1024]) {
// =>   %constant.4 = s32[]{:T(128)} constant(0)
// =>   %Arg_1.1 = f32[1024,1024]{1,0:T(8,128)} parameter(1)
// =>   %copy.1 = f32[1024,1024]{1,0:T(8,128)} copy(%Arg_1.1)
// =>   %Arg_0.1 = f32[16,1024]{1,0:T(8,128)} parameter(0)
// =>   %copy.2 = f32[16,1024]{1,0:T(8,128)} copy(%Arg_0.1)
// =>   %tuple.2 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)}, f32[16,1024]{1,0:T(8,128)}) tuple(%constant.4, %copy.1, %Arg_1.1, %copy.2)
// =>   %while.1 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)}, f32[16,1024]{1,0:T(8,128)}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   %get-tuple-element.6 = f32[16,1024]{1,0:T(8,128)} get-tuple-element(%while.1), index=3
// =>   %get-tuple-element.7 = f32[1024,1024]{1,0:T(8,128)} get-tuple-element(%while.1), index=1
// =>   %copy.3 = f32[1024,1024]{1,0:T(8,128)} copy(%get-tuple-element.7)
// =>   ROOT %tuple.3 = (f32[16,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)}) tuple(%get-tuple-element.6, %copy.3)
// => }
