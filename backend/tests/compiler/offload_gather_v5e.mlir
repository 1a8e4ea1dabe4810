// compile: v5e offload
// A chip without SparseCores: kernels.
func.func @main(%a: tensor<100000x64xf32>, %b: tensor<100000x64xf32>, %i: tensor<4096x1xi32>, %j: tensor<4096x1xi32>) -> tensor<4096x64xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<100000x64xf32>, tensor<4096x1xi32>) -> tensor<4096x64xf32>
  %1 = "stablehlo.gather"(%b, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<100000x64xf32>, tensor<4096x1xi32>) -> tensor<4096x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<4096x64xf32>
  return %2 : tensor<4096x64xf32>
}

// => %fused_computation.1 (param_0.1: s32[4096,1]) -> s32[4096,1] {
// =>   %constant.6 = s32[]{:T(128)} constant(0)
// =>   %broadcast.10 = s32[4096,1]{0,1:T(1,128)} broadcast(%constant.6), dimensions={}
// =>   %param_0.1 = s32[4096,1]{0,1:T(1,128)} parameter(0)
// =>   %constant.7 = s32[]{:T(128)} constant(99999)
// =>   %broadcast.11 = s32[4096,1]{0,1:T(1,128)} broadcast(%constant.7), dimensions={}
// =>   ROOT %clamp.5 = s32[4096,1]{0,1:T(1,128)} clamp(%broadcast.10, %param_0.1, %broadcast.11)
// => }
// => %fused_computation.2 (param_0.2: f32[100000,64], param_1: s32[4096]) -> f32[4096,64] {
// =>   %param_0.2 = f32[100000,64]{1,0:T(8,128)} parameter(0)
// =>   %param_1 = s32[4096]{0:T(1024)} parameter(1)
// =>   ROOT %gather.4 = f32[4096,64]{1,0:T(8,128)} gather(%param_0.2, %param_1), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}
// => }
// => %fused_computation (param_0: s32[4096,1]) -> s32[4096,1] {
// =>   %constant.4 = s32[]{:T(128)} constant(0)
// =>   %broadcast.8 = s32[4096,1]{0,1:T(1,128)} broadcast(%constant.4), dimensions={}
// =>   %param_0 = s32[4096,1]{0,1:T(1,128)} parameter(0)
// =>   %constant.5 = s32[]{:T(128)} constant(99999)
// =>   %broadcast.9 = s32[4096,1]{0,1:T(1,128)} broadcast(%constant.5), dimensions={}
// =>   ROOT %clamp.4 = s32[4096,1]{0,1:T(1,128)} clamp(%broadcast.8, %param_0, %broadcast.9)
// => }
// => %fused_computation.3 (param_0.3: f32[100000,64], param_1.1: s32[4096]) -> f32[4096,64] {
// =>   %param_0.3 = f32[100000,64]{1,0:T(8,128)} parameter(0)
// =>   %param_1.1 = s32[4096]{0:T(1024)} parameter(1)
// =>   ROOT %gather.5 = f32[4096,64]{1,0:T(8,128)} gather(%param_0.3, %param_1.1), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}
// => }
// => ENTRY %main.1 (Arg_0.1: f32[100000,64], Arg_1.1: f32[100000,64], Arg_2.1: s32[4096,1], Arg_3.1: s32[4096,1]) -> f32[4096,64] {
// =>   %Arg_0.1 = f32[100000,64]{0,1:T(8,128)} parameter(0)
// =>   %copy = f32[100000,64]{1,0:T(8,128)} copy(%Arg_0.1)
// =>   %Arg_2.1 = s32[4096,1]{0,1:T(1,128)} parameter(2)
// =>   %clamp_fusion.1 = s32[4096,1]{0,1:T(1,128)} fusion(%Arg_2.1), kind=kLoop, calls=%fused_computation.1
// =>   %reshape.2 = s32[4096]{0:T(1024)} bitcast(%clamp_fusion.1)
// =>   %gather_fusion = f32[4096,64]{1,0:T(8,128)} fusion(%copy, %reshape.2), kind=kCustom, calls=%fused_computation.2
// =>   %Arg_1.1 = f32[100000,64]{0,1:T(8,128)} parameter(1)
// =>   %copy.1 = f32[100000,64]{1,0:T(8,128)} copy(%Arg_1.1)
// =>   %Arg_3.1 = s32[4096,1]{0,1:T(1,128)} parameter(3)
// =>   %clamp_fusion = s32[4096,1]{0,1:T(1,128)} fusion(%Arg_3.1), kind=kLoop, calls=%fused_computation
// =>   %reshape.3 = s32[4096]{0:T(1024)} bitcast(%clamp_fusion)
// =>   %gather_fusion.1 = f32[4096,64]{1,0:T(8,128)} fusion(%copy.1, %reshape.3), kind=kCustom, calls=%fused_computation.3
// =>   %add.1 = f32[4096,64]{1,0:T(8,128)} add(%gather_fusion, %gather_fusion.1)
// =>   ROOT %copy.2 = f32[4096,64]{0,1:T(8,128)} copy(%add.1)
// => }
