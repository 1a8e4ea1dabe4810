// compile: v6e schedule
// A step by the gradient of a lookup: the gradient is brought into the order of the table, at once and alone.
func.func @main(%t: tensor<100000x64xf32>, %i: tensor<4096x1xi32>, %u: tensor<4096x64xf32>) -> tensor<100000x64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<100000x64xf32>
  %lr = stablehlo.constant dense<0.1> : tensor<100000x64xf32>
  %0 = "stablehlo.scatter"(%c, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<100000x64xf32>, tensor<4096x1xi32>, tensor<4096x64xf32>) -> tensor<100000x64xf32>
  %1 = stablehlo.multiply %0, %lr : tensor<100000x64xf32>
  %2 = stablehlo.subtract %t, %1 : tensor<100000x64xf32>
  return %2 : tensor<100000x64xf32>
}

// => %compare_of (argument: s32[], argument.1: s32[], argument.2: s32[], argument.3: s32[]) -> pred[] {
// =>   %argument = s32[] parameter(0)
// =>   %argument.1 = s32[] parameter(1)
// =>   %argument.2 = s32[] parameter(2)
// =>   %argument.3 = s32[] parameter(3)
// =>   ROOT %compare = pred[] compare(%argument, %argument.1), direction=LT
// => }
// => %fused_computation.1 (param_0.1: s32[4096]) -> s32[4096] {
// =>   %param_0.1 = s32[4096]{0:T(1024)} parameter(0)
// =>   %constant.5 = s32[]{:T(128)} constant(0)
// =>   %broadcast.7 = s32[4096]{0:T(1024)} broadcast(%constant.5), dimensions={}
// =>   %constant.6 = s32[]{:T(128)} constant(4095)
// =>   %broadcast.8 = s32[4096]{0:T(1024)} broadcast(%constant.6), dimensions={}
// =>   ROOT %clamp.1 = s32[4096]{0:T(1024)} clamp(%broadcast.7, %param_0.1, %broadcast.8)
// => }
// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.1, %Arg_1.1)
// => }
// => %fused_computation.2 (param_0.2: s32[4096], param_1.1: f32[4096,64], param_2: s32[4096], param_3: f32[]) -> f32[100000,64] {
// =>   %param_0.2 = s32[4096]{0:T(1024)} parameter(0)
// =>   %param_1.1 = f32[4096,64]{1,0:T(8,128)} parameter(1)
// =>   %param_2 = s32[4096]{0:T(1024)} parameter(2)
// =>   %param_3 = f32[]{:T(128)} parameter(3)
// =>   %broadcast.9 = f32[100000,64]{1,0:T(8,128)} broadcast(%param_3), dimensions={}
// =>   %gather.1 = f32[4096,64]{1,0:T(8,128)} gather(%param_1.1, %param_2), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}
// =>   ROOT %scatter.2 = f32[100000,64]{1,0:T(8,128)} scatter(%broadcast.9, %param_0.2, %gather.1), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, indices_are_sorted=true, to_apply=%region.1
// => }
// => %fused_computation (param_0: f32[100000,64], param_1: f32[100000,64]) -> f32[100000,64] {
// =>   %param_0 = f32[100000,64]{0,1:T(8,128)} parameter(0)
// =>   %param_1 = f32[100000,64]{0,1:T(8,128)} parameter(1)
// =>   %constant.4 = f32[]{:T(128)} constant(0.1)
// =>   %broadcast.6 = f32[100000,64]{0,1:T(8,128)} broadcast(%constant.4), dimensions={}
// =>   %multiply.2 = f32[100000,64]{0,1:T(8,128)} multiply(%param_0, %broadcast.6)
// =>   ROOT %subtract = f32[100000,64]{0,1:T(8,128)} subtract(%param_1, %multiply.2)
// => }
// => ENTRY %main.2 (Arg_0.2: f32[100000,64], Arg_1.2: s32[4096,1], Arg_2.1: f32[4096,64]) -> f32[100000,64] {
// =>   %Arg_0.2 = f32[100000,64]{0,1:T(8,128)} parameter(0)
// =>   %Arg_1.2 = s32[4096,1]{0,1:T(1,128)} parameter(1)
// =>   %Arg_2.1 = f32[4096,64]{0,1:T(8,128)} parameter(2)
// =>   %reshape = s32[4096]{0:T(1024)} bitcast(%Arg_1.2)
// =>   %constant.1 = f32[]{:T(128)} constant(0)
// =>   %iota = s32[4096]{0:T(1024)} iota(), iota_dimension=0
// =>   %sort = (s32[4096]{0:T(1024)}, s32[4096]{0:T(1024)}) sort(%reshape, %iota), dimensions={0}, is_stable=true, to_apply=%compare_of
// =>   %get-tuple-element = s32[4096]{0:T(1024)} get-tuple-element(%sort), index=0
// =>   %get-tuple-element.1 = s32[4096]{0:T(1024)} get-tuple-element(%sort), index=1
// =>   %clamp_fusion = s32[4096]{0:T(1024)} fusion(%get-tuple-element.1), kind=kLoop, calls=%fused_computation.1
// =>   %copy = f32[4096,64]{1,0:T(8,128)} copy(%Arg_2.1)
// =>   %scatter_custom_fusion = f32[100000,64]{1,0:T(8,128)} fusion(%get-tuple-element, %copy, %clamp_fusion, %constant.1), kind=kCustom, calls=%fused_computation.2
// =>   %copy.1 = f32[100000,64]{0,1:T(8,128)} copy(%scatter_custom_fusion)
// =>   ROOT %subtract_fusion = f32[100000,64]{0,1:T(8,128)} fusion(%copy.1, %Arg_0.2), kind=kLoop, calls=%fused_computation
// => }
