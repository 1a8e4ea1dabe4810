// compile: v6e schedule
// Elements that change places: two that are exchanged need three copies, three that go around, one of them by way of a sum, as many. What was there
// before a kernel writes it is copied right before that.
func.func @main(%x: tensor<8x128xf32>, %y: tensor<8x128xf32>, %u: tensor<8x128xf32>, %v: tensor<8x128xf32>, %w: tensor<8x128xf32>) -> (tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %p:3 = stablehlo.while(%i = %c0, %a = %x, %b = %y) : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %a : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  }
  %q:4 = stablehlo.while(%i = %c0, %a = %u, %b = %v, %d = %w) : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %d : tensor<8x128xf32>
    stablehlo.return %j, %b, %s, %a : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>
  }
  %r:3 = stablehlo.while(%i = %c0, %a = %u, %b = %v) : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %a, %b : tensor<8x128xf32>
    stablehlo.return %j, %s, %a : tensor<i32>, tensor<8x128xf32>, tensor<8x128xf32>
  }
  return %p#1, %p#2, %q#1, %q#2, %q#3, %r#1, %r#2 : tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>
}

// => %region.1 (arg_tuple.1: (s32[], f32[8,128], f32[8,128])) -> (s32[], f32[8,128], f32[8,128]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %get-tuple-element.2 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=2
// =>   %get-tuple-element.3 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.1), index=1
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   %copy = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.3)
// =>   %copy.1 = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.2)
// =>   %copy.2 = f32[8,128]{1,0:T(8,128)} copy(%copy)
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%add.1, %copy.1, %copy.2)
// => }
// => %region.2 (arg_tuple.2: (s32[], f32[8,128], f32[8,128])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.4 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[]{:T(128)} constant(5)
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.4, %constant.2), direction=LT
// => }
// => %region.3 (arg_tuple.3: (s32[], f32[8,128], f32[8,128], f32[8,128])) -> (s32[], f32[8,128], f32[8,128], f32[8,128]) {
// =>   %arg_tuple.3 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.5 = s32[]{:T(128)} get-tuple-element(%arg_tuple.3), index=0
// =>   %get-tuple-element.7 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.3), index=1
// =>   %get-tuple-element.8 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.3), index=3
// =>   %get-tuple-element.6 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.3), index=2
// =>   %constant.3 = s32[]{:T(128)} constant(1)
// =>   %add.2 = s32[]{:T(128)} add(%get-tuple-element.5, %constant.3)
// =>   %copy.3 = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.6)
// =>   %add.3 = f32[8,128]{1,0:T(8,128)} add(%get-tuple-element.7, %get-tuple-element.8)
// =>   %copy.4 = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.7)
// =>   %copy.5 = f32[8,128]{1,0:T(8,128)} copy(%copy.3)
// =>   ROOT %tuple.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%add.2, %copy.5, %add.3, %copy.4)
// => }
// => %region.4 (arg_tuple.4: (s32[], f32[8,128], f32[8,128], f32[8,128])) -> pred[] {
// =>   %arg_tuple.4 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.9 = s32[]{:T(128)} get-tuple-element(%arg_tuple.4), index=0
// =>   %constant.4 = s32[]{:T(128)} constant(5)
// =>   ROOT %compare.2 = pred[]{:T(512)} compare(%get-tuple-element.9, %constant.4), direction=LT
// => }
// => %region.5 (arg_tuple.5: (s32[], f32[8,128], f32[8,128])) -> (s32[], f32[8,128], f32[8,128]) {
// =>   %arg_tuple.5 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.10 = s32[]{:T(128)} get-tuple-element(%arg_tuple.5), index=0
// =>   %get-tuple-element.11 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.5), index=1
// =>   %get-tuple-element.12 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%arg_tuple.5), index=2
// =>   %constant.5 = s32[]{:T(128)} constant(1)
// =>   %add.4 = s32[]{:T(128)} add(%get-tuple-element.10, %constant.5)
// =>   %copy.6 = f32[8,128]{1,0:T(8,128)} copy(%get-tuple-element.11)
// =>   %add.5 = f32[8,128]{1,0:T(8,128)} add(%copy.6, %get-tuple-element.12)
// =>   %copy.7 = f32[8,128]{1,0:T(8,128)} copy(%copy.6)
// =>   ROOT %tuple.3 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%add.4, %add.5, %copy.7)
// => }
// => %region.6 (arg_tuple.6: (s32[], f32[8,128], f32[8,128])) -> pred[] {
// =>   %arg_tuple.6 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) parameter(0)
// =>   %get-tuple-element.13 = s32[]{:T(128)} get-tuple-element(%arg_tuple.6), index=0
// =>   %constant.6 = s32[]{:T(128)} constant(5)
// =>   ROOT %compare.3 = pred[]{:T(512)} compare(%get-tuple-element.13, %constant.6), direction=LT
// => }
// => ENTRY %main.7 (Arg_0.1: f32[8,128], Arg_1.1: f32[8,128], Arg_2.1: f32[8,128], Arg_3.1: f32[8,128], Arg_4.1: f32[8,128]) -> (f32[8,128], f32[8,128], f32[8,128], f32[8,128], f32[8,128], /*index=5*/f32[8,128], f32[8,128]) {
// =>   %Arg_0.1 = f32[8,128]{1,0:T(8,128)} parameter(0)
// =>   %Arg_1.1 = f32[8,128]{1,0:T(8,128)} parameter(1)
// =>   %Arg_2.1 = f32[8,128]{1,0:T(8,128)} parameter(2)
// =>   %Arg_3.1 = f32[8,128]{1,0:T(8,128)} parameter(3)
// =>   %Arg_4.1 = f32[8,128]{1,0:T(8,128)} parameter(4)
// =>   %constant.7 = s32[]{:T(128)} constant(0)
// =>   %copy.8 = f32[8,128]{1,0:T(8,128)} copy(%Arg_0.1)
// =>   %copy.9 = f32[8,128]{1,0:T(8,128)} copy(%Arg_1.1)
// =>   %tuple.4 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%constant.7, %copy.8, %copy.9)
// =>   %while.1 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) while(%tuple.4), condition=%region.2, body=%region.1
// =>   %copy.10 = f32[8,128]{1,0:T(8,128)} copy(%Arg_2.1)
// =>   %copy.11 = f32[8,128]{1,0:T(8,128)} copy(%Arg_3.1)
// =>   %copy.12 = f32[8,128]{1,0:T(8,128)} copy(%Arg_4.1)
// =>   %tuple.5 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%constant.7, %copy.10, %copy.11, %copy.12)
// =>   %while.2 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) while(%tuple.5), condition=%region.4, body=%region.3
// =>   %copy.13 = f32[8,128]{1,0:T(8,128)} copy(%Arg_2.1)
// =>   %copy.14 = f32[8,128]{1,0:T(8,128)} copy(%Arg_3.1)
// =>   %tuple.6 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%constant.7, %copy.13, %copy.14)
// =>   %while.3 = (s32[]{:T(128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) while(%tuple.6), condition=%region.6, body=%region.5
// =>   %get-tuple-element.14 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.1), index=1
// =>   %get-tuple-element.15 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.1), index=2
// =>   %get-tuple-element.16 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.2), index=1
// =>   %get-tuple-element.17 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.2), index=2
// =>   %get-tuple-element.18 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.2), index=3
// =>   %get-tuple-element.19 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.3), index=1
// =>   %get-tuple-element.20 = f32[8,128]{1,0:T(8,128)} get-tuple-element(%while.3), index=2
// =>   ROOT %tuple.7 = (f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}, /*index=5*/f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)}) tuple(%get-tuple-element.14, %get-tuple-element.15, %get-tuple-element.16, %get-tuple-element.17, %get-tuple-element.18, /*index=5*/%get-tuple-element.19, %get-tuple-element.20)
// => }
