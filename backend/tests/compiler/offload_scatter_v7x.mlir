// compile: v7x offload
func.func @main(%t: tensor<100000x128xf32> {tf.aliasing_output = 0 : i32}, %i: tensor<4096x1xi32>, %u: tensor<4096x128xf32>) -> tensor<100000x128xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<100000x128xf32>, tensor<4096x1xi32>, tensor<4096x128xf32>) -> tensor<100000x128xf32>
  return %0 : tensor<100000x128xf32>
}

// => %compare_of (argument: s32[], argument.1: s32[], argument.2: s32[], argument.3: s32[]) -> pred[] {
// =>   %argument.2 = s32[] parameter(2)
// =>   %argument.3 = s32[] parameter(3)
// =>   %argument = s32[] parameter(0)
// =>   %argument.1 = s32[] parameter(1)
// =>   ROOT %compare = pred[] compare(%argument, %argument.1), direction=LT
// => }
// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.1, %Arg_1.1)
// => }
// => %offloaded_computation (param_0: f32[100000,128], param_1: s32[4096], param_2: f32[4096,128], param_3: s32[4096]) -> f32[100000,128] {
// =>   %param_0 = f32[100000,128]{1,0:T(8,128)} parameter(0)
// =>   %param_1 = s32[4096]{0:T(1024)} parameter(1)
// =>   %param_2 = f32[4096,128]{1,0:T(8,128)} parameter(2)
// =>   %param_3 = s32[4096]{0:T(1024)} parameter(3)
// =>   %gather.1 = f32[4096,128]{1,0:T(8,128)} gather(%param_2, %param_3), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,128}
// =>   ROOT %scatter.2 = f32[100000,128]{1,0:T(8,128)} scatter(%param_0, %param_1, %gather.1), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, indices_are_sorted=true, to_apply=%region.1
// => }, execution_thread="sparsecore"
// => ENTRY %main.2 (Arg_0.2: f32[100000,128], Arg_1.2: s32[4096,1], Arg_2.1: f32[4096,128]) -> f32[100000,128] {
// =>   %Arg_0.2 = f32[100000,128]{1,0:T(8,128)} parameter(0)
// =>   %Arg_1.2 = s32[4096,1]{0,1:T(1,128)} parameter(1)
// =>   %reshape = s32[4096]{0:T(1024)} bitcast(%Arg_1.2)
// =>   %iota = s32[4096]{0:T(1024)} iota(), iota_dimension=0
// =>   %sort = (s32[4096]{0:T(1024)}, s32[4096]{0:T(1024)}) sort(%reshape, %iota), dimensions={0}, is_stable=true, to_apply=%compare_of
// =>   %get-tuple-element = s32[4096]{0:T(1024)} get-tuple-element(%sort), index=0
// =>   %Arg_2.1 = f32[4096,128]{1,0:T(8,128)} parameter(2)
// =>   %get-tuple-element.1 = s32[4096]{0:T(1024)} get-tuple-element(%sort), index=1
// =>   %scatter_offload_async_start = ((f32[100000,128]{1,0:T(8,128)}, s32[4096]{0:T(1024)}, f32[4096,128]{1,0:T(8,128)}, s32[4096]{0:T(1024)}), f32[100000,128]{1,0:T(8,128)}, u32[]{:S(8)}) async-start(%Arg_0.2, %get-tuple-element, %Arg_2.1, %get-tuple-element.1), async_execution_thread="sparsecore", output_to_operand_aliasing={{1}: (0, {})}, calls=%offloaded_computation
// =>   ROOT %scatter_offload_async_done = f32[100000,128]{1,0:T(8,128)} async-done(%scatter_offload_async_start)
// => }
