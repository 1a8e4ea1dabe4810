// compile: v6e loops
// What is much larger than what it is computed of is computed in the loop, from what is small: cosines of places and frequencies, and a mask for all
// heads. What is no larger than its operands, the mask of all places itself, is carried.
func.func @main(%x: tensor<2x8x64x64xf32>, %f: tensor<64xf32>) -> tensor<2x8x64x64xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %places = stablehlo.iota dim = 0 : tensor<64xf32>
  %p = stablehlo.broadcast_in_dim %places, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %q = stablehlo.broadcast_in_dim %f, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %a = stablehlo.multiply %p, %q : tensor<64x64xf32>
  %cos = stablehlo.cosine %a : tensor<64x64xf32>
  %row = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %column = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %mask = stablehlo.compare GE, %row, %column : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %masks = stablehlo.broadcast_in_dim %mask, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<2x8x64x64xi1>
  %r:4 = stablehlo.while(%i = %c0, %h = %x, %c = %cos, %m = %masks) : tensor<i32>, tensor<2x8x64x64xf32>, tensor<64x64xf32>, tensor<2x8x64x64xi1>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %l = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %cs = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<64x64xf32>) -> tensor<2x8x64x64xf32>
    %y = stablehlo.multiply %h, %cs : tensor<2x8x64x64xf32>
    %s = stablehlo.select %m, %y, %h : tensor<2x8x64x64xi1>, tensor<2x8x64x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s, %c, %m : tensor<i32>, tensor<2x8x64x64xf32>, tensor<64x64xf32>, tensor<2x8x64x64xi1>
  }
  return %r#1 : tensor<2x8x64x64xf32>
}

// => %region.1 (arg_tuple.1: (s32[], f32[2,8,64,64], f32[64], pred[64,64])) -> (s32[], f32[2,8,64,64], f32[64], pred[64,64]) {
// =>   %arg_tuple.1 = (s32[], f32[2,8,64,64]{3,2,1,0}, f32[64]{0}, pred[64,64]{1,0}) parameter(0)
// =>   %get-tuple-element.1 = s32[] get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[] constant(1)
// =>   %add.1 = s32[] add(%get-tuple-element.1, %constant.1)
// =>   %get-tuple-element.7 = pred[64,64]{1,0} get-tuple-element(%arg_tuple.1), index=3
// =>   %broadcast.5 = pred[2,8,64,64]{3,2,1,0} broadcast(%get-tuple-element.7), dimensions={2,3}
// =>   %get-tuple-element.3 = f32[2,8,64,64]{3,2,1,0} get-tuple-element(%arg_tuple.1), index=1
// =>   %iota.4 = f32[64,64]{1,0} iota(), iota_dimension=0
// =>   %get-tuple-element = f32[64]{0} get-tuple-element(%arg_tuple.1), index=2
// =>   %broadcast = f32[64,64]{1,0} broadcast(%get-tuple-element), dimensions={1}
// =>   %multiply = f32[64,64]{1,0} multiply(%iota.4, %broadcast)
// =>   %cosine = f32[64,64]{1,0} cosine(%multiply)
// =>   %broadcast.1 = f32[2,8,64,64]{3,2,1,0} broadcast(%cosine), dimensions={2,3}
// =>   %multiply.1 = f32[2,8,64,64]{3,2,1,0} multiply(%get-tuple-element.3, %broadcast.1)
// =>   %select.1 = f32[2,8,64,64]{3,2,1,0} select(%broadcast.5, %multiply.1, %get-tuple-element.3)
// =>   ROOT %tuple.1 = (s32[], f32[2,8,64,64]{3,2,1,0}, f32[64]{0}, pred[64,64]{1,0}) tuple(%add.1, %select.1, %get-tuple-element, %get-tuple-element.7)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[2,8,64,64], f32[64], pred[64,64])) -> pred[] {
// =>   %arg_tuple.2 = (s32[], f32[2,8,64,64]{3,2,1,0}, f32[64]{0}, pred[64,64]{1,0}) parameter(0)
// =>   %get-tuple-element.5 = s32[] get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[] constant(4)
// =>   ROOT %compare.1 = pred[] compare(%get-tuple-element.5, %constant.2), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[2,8,64,64], Arg_1.1: f32[64]) -> f32[2,8,64,64] {
// =>   %constant.3 = s32[] constant(0)
// =>   %Arg_0.1 = f32[2,8,64,64]{3,2,1,0} parameter(0)
// =>   %Arg_1.1 = f32[64]{0} parameter(1)
// =>   %iota.2 = s32[64,64]{1,0} iota(), iota_dimension=0
// =>   %iota.3 = s32[64,64]{1,0} iota(), iota_dimension=1
// =>   %compare.2 = pred[64,64]{1,0} compare(%iota.2, %iota.3), direction=GE
// =>   %tuple.2 = (s32[], f32[2,8,64,64]{3,2,1,0}, f32[64]{0}, pred[64,64]{1,0}) tuple(%constant.3, %Arg_0.1, %Arg_1.1, %compare.2)
// =>   %while.1 = (s32[], f32[2,8,64,64]{3,2,1,0}, f32[64]{0}, pred[64,64]{1,0}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   ROOT %get-tuple-element.6 = f32[2,8,64,64]{3,2,1,0} get-tuple-element(%while.1), index=1
// => }
