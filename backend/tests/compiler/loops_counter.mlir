// compile: v6e loops
// The first iteration is told by a counter that is one value, not by an array of one.
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k0 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %v = stablehlo.constant dense<3.0> : tensor<f32>
  %f = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %r:3 = stablehlo.while(%k = %k0, %i = %c0, %s = %f) : tensor<1xi32>, tensor<i32>, tensor<2xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k1 = stablehlo.constant dense<[1]> : tensor<1xi32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %kn = stablehlo.add %k, %k1 : tensor<1xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %kf = stablehlo.convert %k : (tensor<1xi32>) -> tensor<1xf32>
    %kr = stablehlo.broadcast_in_dim %kf, dims = [0] : (tensor<1xf32>) -> tensor<2xf32>
    %t0 = stablehlo.add %s, %kr : tensor<2xf32>
    %t = stablehlo.add %t0, %x : tensor<2xf32>
    stablehlo.return %kn, %j, %t : tensor<1xi32>, tensor<i32>, tensor<2xf32>
  }
  return %r#2 : tensor<2xf32>
}

// => %region.1 (arg_tuple.1: (s32[1], s32[], f32[2], f32[2])) -> (s32[1], s32[], f32[2], f32[2]) {
// =>   %arg_tuple.1 = (s32[1]{0}, s32[], f32[2]{0}, f32[2]{0}) parameter(0)
// =>   %get-tuple-element.1 = s32[1]{0} get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[1]{0} constant({1})
// =>   %add.1 = s32[1]{0} add(%get-tuple-element.1, %constant.1)
// =>   %get-tuple-element.2 = s32[] get-tuple-element(%arg_tuple.1), index=1
// =>   %constant.2 = s32[] constant(1)
// =>   %add.2 = s32[] add(%get-tuple-element.2, %constant.2)
// =>   %constant = s32[] constant(0)
// =>   %compare = pred[] compare(%get-tuple-element.2, %constant), direction=EQ
// =>   %broadcast.3 = pred[2]{0} broadcast(%compare), dimensions={}
// =>   %constant.7 = f32[] constant(3)
// =>   %broadcast = f32[2]{0} broadcast(%constant.7), dimensions={}
// =>   %get-tuple-element.3 = f32[2]{0} get-tuple-element(%arg_tuple.1), index=2
// =>   %select = f32[2]{0} select(%broadcast.3, %broadcast, %get-tuple-element.3)
// =>   %convert.1 = f32[1]{0} convert(%get-tuple-element.1)
// =>   %reshape.1 = f32[] reshape(%convert.1)
// =>   %broadcast.1 = f32[2]{0} broadcast(%reshape.1), dimensions={}
// =>   %add.3 = f32[2]{0} add(%select, %broadcast.1)
// =>   %get-tuple-element.4 = f32[2]{0} get-tuple-element(%arg_tuple.1), index=3
// =>   %add.4 = f32[2]{0} add(%add.3, %get-tuple-element.4)
// =>   ROOT %tuple.1 = (s32[1]{0}, s32[], f32[2]{0}, f32[2]{0}) tuple(%add.1, %add.2, %add.4, %get-tuple-element.4)
// => }
// => %region.2 (arg_tuple.2: (s32[1], s32[], f32[2], f32[2])) -> pred[] {
// =>   %arg_tuple.2 = (s32[1]{0}, s32[], f32[2]{0}, f32[2]{0}) parameter(0)
// =>   %get-tuple-element.5 = s32[] get-tuple-element(%arg_tuple.2), index=1
// =>   %constant.3 = s32[] constant(4)
// =>   ROOT %compare.1 = pred[] compare(%get-tuple-element.5, %constant.3), direction=LT
// => }
// => ENTRY %main.3 (Arg_0.1: f32[2]) -> f32[2] {
// =>   %constant.4 = s32[1]{0} constant({0})
// =>   %constant.5 = s32[] constant(0)
// =>   %custom-call = f32[2]{0} custom-call(), custom_call_target="AllocateBuffer"
// =>   %Arg_0.1 = f32[2]{0} parameter(0)
// =>   %tuple.2 = (s32[1]{0}, s32[], f32[2]{0}, f32[2]{0}) tuple(%constant.4, %constant.5, %custom-call, %Arg_0.1)
// =>   %while.1 = (s32[1]{0}, s32[], f32[2]{0}, f32[2]{0}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   ROOT %get-tuple-element.6 = f32[2]{0} get-tuple-element(%while.1), index=2
// => }
