// compile: v6e loops
// What a loop does not change is computed before it: the narrow weights of all layers, from which each iteration slices its own. Results that are stacked
// up need no zeros to start from, and a sum takes its zero in the first iteration.
func.func @main(%w: tensor<4x256x256xf32>, %x: tensor<8x256xbf16>) -> (tensor<4x8x256xbf16>, tensor<8x256xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %zerof = stablehlo.constant dense<0.0> : tensor<f32>
  %stack = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<bf16>) -> tensor<4x8x256xbf16>
  %sum = stablehlo.broadcast_in_dim %zerof, dims = [] : (tensor<f32>) -> tensor<8x256xf32>
  %r:5 = stablehlo.while(%i = %c0, %h = %x, %ws = %w, %ys = %stack, %s = %sum) : tensor<i32>, tensor<8x256xbf16>, tensor<4x256x256xf32>, tensor<4x8x256xbf16>, tensor<8x256xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.dynamic_slice %ws, %i, %z, %z, sizes = [1, 256, 256] : (tensor<4x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x256xf32>
    %q = stablehlo.reshape %p : (tensor<1x256x256xf32>) -> tensor<256x256xf32>
    %v = stablehlo.convert %q : (tensor<256x256xf32>) -> tensor<256x256xbf16>
    %y = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<8x256xbf16>, tensor<256x256xbf16>) -> tensor<8x256xbf16>
    %b = stablehlo.reshape %y : (tensor<8x256xbf16>) -> tensor<1x8x256xbf16>
    %t = stablehlo.dynamic_update_slice %ys, %b, %i, %z, %z : (tensor<4x8x256xbf16>, tensor<1x8x256xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x256xbf16>
    %f = stablehlo.convert %y : (tensor<8x256xbf16>) -> tensor<8x256xf32>
    %a = stablehlo.add %s, %f : tensor<8x256xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y, %ws, %t, %a : tensor<i32>, tensor<8x256xbf16>, tensor<4x256x256xf32>, tensor<4x8x256xbf16>, tensor<8x256xf32>
  }
  return %r#3, %r#4 : tensor<4x8x256xbf16>, tensor<8x256xf32>
}

// => %region.1 (arg_tuple.1: (s32[], bf16[8,256], bf16[4,8,256], f32[8,256], bf16[4,256,256])) -> (s32[], bf16[8,256], bf16[4,8,256], f32[8,256], bf16[4,256,256]) {
// =>   %arg_tuple.1 = (s32[], bf16[8,256]{1,0}, bf16[4,8,256]{2,1,0}, f32[8,256]{1,0}, bf16[4,256,256]{2,1,0}) parameter(0)
// =>   %get-tuple-element.1 = s32[] get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[] constant(1)
// =>   %add.1 = s32[] add(%get-tuple-element.1, %constant.1)
// =>   %get-tuple-element.2 = bf16[8,256]{1,0} get-tuple-element(%arg_tuple.1), index=1
// =>   %get-tuple-element = bf16[4,256,256]{2,1,0} get-tuple-element(%arg_tuple.1), index=4
// =>   %constant.2 = s32[] constant(0)
// =>   %dynamic-slice = bf16[1,256,256]{2,1,0} dynamic-slice(%get-tuple-element, %get-tuple-element.1, %constant.2, %constant.2), dynamic_slice_sizes={1,256,256}
// =>   %reshape = bf16[256,256]{1,0} reshape(%dynamic-slice)
// =>   %dot.1 = bf16[8,256]{1,0} dot(%get-tuple-element.2, %reshape), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %get-tuple-element.4 = bf16[4,8,256]{2,1,0} get-tuple-element(%arg_tuple.1), index=2
// =>   %reshape.2 = bf16[1,8,256]{2,1,0} reshape(%dot.1)
// =>   %dynamic-update-slice.1 = bf16[4,8,256]{2,1,0} dynamic-update-slice(%get-tuple-element.4, %reshape.2, %get-tuple-element.1, %constant.2, %constant.2)
// =>   %constant = s32[] constant(0)
// =>   %compare = pred[] compare(%get-tuple-element.1, %constant), direction=EQ
// =>   %broadcast.3 = pred[8,256]{1,0} broadcast(%compare), dimensions={}
// =>   %constant.7 = f32[] constant(0)
// =>   %broadcast = f32[8,256]{1,0} broadcast(%constant.7), dimensions={}
// =>   %get-tuple-element.5 = f32[8,256]{1,0} get-tuple-element(%arg_tuple.1), index=3
// =>   %select = f32[8,256]{1,0} select(%broadcast.3, %broadcast, %get-tuple-element.5)
// =>   %convert.2 = f32[8,256]{1,0} convert(%dot.1)
// =>   %add.2 = f32[8,256]{1,0} add(%select, %convert.2)
// =>   ROOT %tuple.1 = (s32[], bf16[8,256]{1,0}, bf16[4,8,256]{2,1,0}, f32[8,256]{1,0}, bf16[4,256,256]{2,1,0}) tuple(%add.1, %dot.1, %dynamic-update-slice.1, %add.2, %get-tuple-element)
// => }
// => %region.2 (arg_tuple.2: (s32[], bf16[8,256], bf16[4,8,256], f32[8,256], bf16[4,256,256])) -> pred[] {
// =>   %arg_tuple.2 = (s32[], bf16[8,256]{1,0}, bf16[4,8,256]{2,1,0}, f32[8,256]{1,0}, bf16[4,256,256]{2,1,0}) parameter(0)
// =>   %get-tuple-element.6 = s32[] get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.3 = s32[] constant(4)
// =>   ROOT %compare.1 = pred[] compare(%get-tuple-element.6, %constant.3), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[4,256,256], Arg_1.1: bf16[8,256]) -> (bf16[4,8,256], f32[8,256]) {
// =>   %constant.4 = s32[] constant(0)
// =>   %Arg_1.1 = bf16[8,256]{1,0} parameter(1)
// =>   %custom-call = bf16[4,8,256]{2,1,0} custom-call(), custom_call_target="AllocateBuffer"
// =>   %custom-call.1 = f32[8,256]{1,0} custom-call(), custom_call_target="AllocateBuffer"
// =>   %Arg_0.1 = f32[4,256,256]{2,1,0} parameter(0)
// =>   %convert.4 = bf16[4,256,256]{2,1,0} convert(%Arg_0.1)
// =>   %tuple.2 = (s32[], bf16[8,256]{1,0}, bf16[4,8,256]{2,1,0}, f32[8,256]{1,0}, bf16[4,256,256]{2,1,0}) tuple(%constant.4, %Arg_1.1, %custom-call, %custom-call.1, %convert.4)
// =>   %while.1 = (s32[], bf16[8,256]{1,0}, bf16[4,8,256]{2,1,0}, f32[8,256]{1,0}, bf16[4,256,256]{2,1,0}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   %get-tuple-element.7 = bf16[4,8,256]{2,1,0} get-tuple-element(%while.1), index=2
// =>   %get-tuple-element.8 = f32[8,256]{1,0} get-tuple-element(%while.1), index=3
// =>   ROOT %tuple.3 = (bf16[4,8,256]{2,1,0}, f32[8,256]{1,0}) tuple(%get-tuple-element.7, %get-tuple-element.8)
// => }
