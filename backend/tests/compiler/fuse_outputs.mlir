// compile: v6e fuse
// One kernel reads the array once for all that is made of it.
func.func @main(%x: tensor<1024x1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %x, %x : tensor<1024x1024xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<1024x1024xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %1, %3, %0 : tensor<1024xf32>, tensor<1024xf32>, tensor<1024x1024xf32>
}

// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.1, %Arg_1.1)
// => }
// => %fused_computation (param_0: f32[1024,1024]) -> (f32[1024], f32[1024], f32[1024,1024]) {
// =>   %param_0 = f32[1024,1024]{1,0:T(8,128)} parameter(0)
// =>   %add = f32[1024,1024]{1,0:T(8,128)} add(%param_0, %param_0)
// =>   %constant = f32[]{:T(128)} constant(0)
// =>   %reduce = f32[1024]{0:T(1024)} reduce(%add, %constant), dimensions={1}, to_apply=%region.1
// =>   %multiply = f32[1024,1024]{1,0:T(8,128)} multiply(%add, %add)
// =>   %reduce.3 = f32[1024]{0:T(1024)} reduce(%multiply, %constant), dimensions={1}, to_apply=%region.1
// =>   ROOT %tuple = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}, f32[1024,1024]{1,0:T(8,128)}) tuple(%reduce, %reduce.3, %add)
// => }
// => ENTRY %main.3 (Arg_0.3: f32[1024,1024]) -> (f32[1024], f32[1024], f32[1024,1024]) {
// =>   %Arg_0.3 = f32[1024,1024]{1,0:T(8,128)} parameter(0)
// =>   %reduce_fusion = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}, f32[1024,1024]{1,0:T(8,128)}) fusion(%Arg_0.3), kind=kInput, calls=%fused_computation
// =>   %reduce_fusion.element = f32[1024]{0:T(1024)} get-tuple-element(%reduce_fusion), index=0
// =>   %reduce_fusion.element.1 = f32[1024]{0:T(1024)} get-tuple-element(%reduce_fusion), index=1
// =>   %reduce_fusion.element.2 = f32[1024,1024]{1,0:T(8,128)} get-tuple-element(%reduce_fusion), index=2
// =>   ROOT %tuple.1 = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}, f32[1024,1024]{1,0:T(8,128)}) tuple(%reduce_fusion.element, %reduce_fusion.element.1, %reduce_fusion.element.2)
// => }
