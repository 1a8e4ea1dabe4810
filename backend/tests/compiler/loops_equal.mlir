// compile: v6e loops
// Of equal invariants, one is computed before the loop and carried.
func.func @main(%x: tensor<8x128xf32>, %y: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %a = %x) : tensor<i32>, tensor<8x128xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %e = stablehlo.exponential %y : tensor<8x128xf32>
    %s = stablehlo.add %a, %e : tensor<8x128xf32>
    %f = stablehlo.exponential %y : tensor<8x128xf32>
    %t = stablehlo.multiply %s, %f : tensor<8x128xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<8x128xf32>
  }
  return %r#1 : tensor<8x128xf32>
}

// => %region.1 (arg_tuple.1: (s32[], f32[8,128], f32[8,128])) -> (s32[], f32[8,128], f32[8,128]) {
// =>   %arg_tuple.1 = (s32[], f32[8,128]{1,0}, f32[8,128]{1,0}) parameter(0)
// =>   %get-tuple-element.1 = s32[] get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[] constant(1)
// =>   %add.1 = s32[] add(%get-tuple-element.1, %constant.1)
// =>   %get-tuple-element.2 = f32[8,128]{1,0} get-tuple-element(%arg_tuple.1), index=1
// =>   %get-tuple-element = f32[8,128]{1,0} get-tuple-element(%arg_tuple.1), index=2
// =>   %add.2 = f32[8,128]{1,0} add(%get-tuple-element.2, %get-tuple-element)
// =>   %multiply.1 = f32[8,128]{1,0} multiply(%add.2, %get-tuple-element)
// =>   ROOT %tuple.1 = (s32[], f32[8,128]{1,0}, f32[8,128]{1,0}) tuple(%add.1, %multiply.1, %get-tuple-element)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[8,128], f32[8,128])) -> pred[] {
// =>   %arg_tuple.2 = (s32[], f32[8,128]{1,0}, f32[8,128]{1,0}) parameter(0)
// =>   %get-tuple-element.4 = s32[] get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[] constant(4)
// =>   ROOT %compare.1 = pred[] compare(%get-tuple-element.4, %constant.2), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[8,128], Arg_1.1: f32[8,128]) -> f32[8,128] {
// =>   %constant.3 = s32[] constant(0)
// =>   %Arg_0.1 = f32[8,128]{1,0} parameter(0)
// =>   %Arg_1.1 = f32[8,128]{1,0} parameter(1)
// =>   %exponential = f32[8,128]{1,0} exponential(%Arg_1.1)
// =>   %tuple.2 = (s32[], f32[8,128]{1,0}, f32[8,128]{1,0}) tuple(%constant.3, %Arg_0.1, %exponential)
// =>   %while.1 = (s32[], f32[8,128]{1,0}, f32[8,128]{1,0}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   ROOT %get-tuple-element.5 = f32[8,128]{1,0} get-tuple-element(%while.1), index=1
// => }
