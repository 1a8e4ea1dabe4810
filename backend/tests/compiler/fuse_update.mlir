// compile: v6e fuse
// An update ends its kernel; what it changes is not computed in it.
func.func @main(%cache: tensor<64x1024xf32>, %x: tensor<1x1024xf32>, %i: tensor<i32>) -> tensor<64x1024xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.add %x, %x : tensor<1x1024xf32>
  %1 = stablehlo.dynamic_update_slice %cache, %0, %i, %c0 : (tensor<64x1024xf32>, tensor<1x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<64x1024xf32>
  return %1 : tensor<64x1024xf32>
}

// => %fused_computation (param_0: f32[1,1024], param_1: f32[64,1024], param_2: s32[]) -> f32[64,1024] {
// =>   %param_1 = f32[64,1024]{1,0:T(8,128)} parameter(1)
// =>   %param_0 = f32[1,1024]{1,0:T(1,128)} parameter(0)
// =>   %add = f32[1,1024]{1,0:T(1,128)} add(%param_0, %param_0)
// =>   %param_2 = s32[]{:T(128)} parameter(2)
// =>   %constant = s32[]{:T(128)} constant(0)
// =>   ROOT %dynamic-update-slice = f32[64,1024]{1,0:T(8,128)} dynamic-update-slice(%param_1, %add, %param_2, %constant)
// => }
// => ENTRY %main.1 (Arg_0.1: f32[64,1024], Arg_1.1: f32[1,1024], Arg_2.1: s32[]) -> f32[64,1024] {
// =>   %Arg_1.1 = f32[1,1024]{1,0:T(1,128)} parameter(1)
// =>   %Arg_0.1 = f32[64,1024]{1,0:T(8,128)} parameter(0)
// =>   %Arg_2.1 = s32[]{:T(128)} parameter(2)
// =>   ROOT %dynamic_update_slice_fusion = f32[64,1024]{1,0:T(8,128)} fusion(%Arg_1.1, %Arg_0.1, %Arg_2.1), kind=kLoop, calls=%fused_computation
// => }
