// compile: v6e alias
// The sine may be written where the argument of a loop's iteration was; the argument of the program may not be written over.
func.func @main(%x: tensor<1024x1024xf32>, %n: tensor<i32>) -> tensor<1024x1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.cosine %x : tensor<1024x1024xf32>
  %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<1024x1024xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.sine %v : tensor<1024x1024xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, tensor<1024x1024xf32>
  }
  return %0#1 : tensor<1024x1024xf32>
}

// => %region.1 (arg_tuple.1: (s32[], f32[1024,1024], s32[])) -> (s32[], f32[1024,1024], s32[]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)S(1)}, s32[]{:T(128)}) parameter(0)
// =>   %get-tuple-element.2 = f32[1024,1024]{1,0:T(8,128)S(1)} get-tuple-element(%arg_tuple.1), index=1
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %get-tuple-element.3 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=2
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %sine.1 = f32[1024,1024]{1,0:T(8,128)S(1)} sine(%get-tuple-element.2), backend_config={"aliasing_operands":{"lists":[{"indices":["0","1"]}]}}
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)S(1)}, s32[]{:T(128)}) tuple(%add.1, %sine.1, %get-tuple-element.3)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[1024,1024], s32[])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)S(1)}, s32[]{:T(128)}) parameter(0)
// =>   %get-tuple-element.4 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %get-tuple-element.5 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=2
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.4, %get-tuple-element.5), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[1024,1024], Arg_1.1: s32[]) -> f32[1024,1024] {
// =>   %Arg_0.1 = f32[1024,1024]{1,0:T(8,128)} parameter(0)
// =>   %Arg_1.1 = s32[]{:T(128)} parameter(1)
// =>   %constant.2 = s32[]{:T(128)} constant(0)
// =>   %cosine.1 = f32[1024,1024]{1,0:T(8,128)S(1)} cosine(%Arg_0.1)
// =>   %tuple.2 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)S(1)}, s32[]{:T(128)}) tuple(%constant.2, %cosine.1, %Arg_1.1)
// =>   %while.1 = (s32[]{:T(128)}, f32[1024,1024]{1,0:T(8,128)S(1)}, s32[]{:T(128)}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   %get-tuple-element.6 = f32[1024,1024]{1,0:T(8,128)S(1)} get-tuple-element(%while.1), index=1
// =>   %copy-start = (f32[1024,1024]{1,0:T(8,128)}, f32[1024,1024]{1,0:T(8,128)S(1)}, u32[]{:S(2)}) copy-start(%get-tuple-element.6)
// =>   ROOT %copy-done = f32[1024,1024]{1,0:T(8,128)} copy-done(%copy-start)
// => }
