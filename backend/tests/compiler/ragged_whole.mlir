// compile: v6e
// A ragged product is one kernel, behind that of its mask; the grid says what it leaves out.
func.func public @main(%rows: tensor<48x16xbf16>, %weights: tensor<4x16x24xbf16>, %sizes: tensor<4xi32>) -> (tensor<48x24xbf16>, tensor<4x16x24xbf16>) {
  %0 = "chlo.ragged_dot"(%rows, %weights, %sizes) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<48x16xbf16>, tensor<4x16x24xbf16>, tensor<4xi32>) -> tensor<48x24xbf16>
  %1 = "chlo.ragged_dot"(%rows, %0, %sizes) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<48x16xbf16>, tensor<48x24xbf16>, tensor<4xi32>) -> tensor<4x16x24xbf16>
  return %0, %1 : tensor<48x24xbf16>, tensor<4x16x24xbf16>
}

// => %add_of (argument: s32[], argument.1: s32[]) -> s32[] {
// =>   %argument = s32[] parameter(0)
// =>   %argument.1 = s32[] parameter(1)
// =>   ROOT %add = s32[] add(%argument, %argument.1)
// => }
// => %fused_computation.3 (param_0.3: s32[4], param_1.3: s32[4]) -> pred[4,48] {
// =>   %param_0.3 = s32[4]{0:T(128)} parameter(0)
// =>   %param_1.3 = s32[4]{0:T(128)} parameter(1)
// =>   %iota.3 = s32[4,48]{1,0:T(4,128)} iota(), iota_dimension=1
// =>   %broadcast.22 = s32[4,48]{1,0:T(4,128)} broadcast(%param_0.3), dimensions={0}
// =>   %compare.6 = pred[4,48]{1,0:T(4,128)(4,1)} compare(%iota.3, %broadcast.22), direction=GE
// =>   %broadcast.23 = s32[4,48]{1,0:T(4,128)} broadcast(%param_1.3), dimensions={0}
// =>   %compare.7 = pred[4,48]{1,0:T(4,128)(4,1)} compare(%iota.3, %broadcast.23), direction=LT
// =>   ROOT %and.3 = pred[4,48]{1,0:T(4,128)(4,1)} and(%compare.6, %compare.7)
// => }
// => %add_of.1 (argument.2: bf16[], argument.3: bf16[]) -> bf16[] {
// =>   %argument.2 = bf16[] parameter(0)
// =>   %argument.3 = bf16[] parameter(1)
// =>   ROOT %add.1 = bf16[] add(%argument.2, %argument.3)
// => }
// => %fused_computation.2 (param_0.2: pred[4,48], param_1.2: bf16[48,16], param_2.1: bf16[4,16,24]) -> bf16[48,24] {
// =>   %param_0.2 = pred[4,48]{1,0:T(4,128)(4,1)} parameter(0)
// =>   %param_1.2 = bf16[48,16]{0,1:T(8,128)(2,1)} parameter(1)
// =>   %param_2.1 = bf16[4,16,24]{2,1,0:T(8,128)(2,1)} parameter(2)
// =>   %broadcast.19 = pred[4,48,24]{1,2,0:T(8,128)(4,1)} broadcast(%param_0.2), dimensions={0,1}
// =>   %broadcast.20 = bf16[4,48,16]{1,2,0:T(8,128)(2,1)} broadcast(%param_1.2), dimensions={1,2}
// =>   %dot.5 = bf16[4,48,24]{1,2,0:T(8,128)(2,1)} dot(%broadcast.20, %param_2.1), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
// =>   %constant.6 = bf16[]{:T(256)} constant(0)
// =>   %broadcast.21 = bf16[4,48,24]{1,2,0:T(8,128)(2,1)} broadcast(%constant.6), dimensions={}
// =>   %convert = f32[4,48,24]{1,2,0:T(8,128)} convert(%dot.5)
// =>   %convert.1 = f32[4,48,24]{1,2,0:T(8,128)} convert(%broadcast.21)
// =>   %select.3 = f32[4,48,24]{1,2,0:T(8,128)} select(%broadcast.19, %convert, %convert.1)
// =>   %convert.2 = bf16[4,48,24]{1,2,0:T(8,128)(2,1)} convert(%select.3)
// =>   ROOT %reduce.1 = bf16[48,24]{0,1:T(8,128)(2,1)} reduce(%convert.2, %constant.6), dimensions={0}, to_apply=%add_of.1
// => }
// => %add_of.2 (argument.4: s32[], argument.5: s32[]) -> s32[] {
// =>   %argument.4 = s32[] parameter(0)
// =>   %argument.5 = s32[] parameter(1)
// =>   ROOT %add.2 = s32[] add(%argument.4, %argument.5)
// => }
// => %fused_computation.1 (param_0.1: s32[4], param_1.1: s32[4]) -> pred[4,48] {
// =>   %param_0.1 = s32[4]{0:T(128)} parameter(0)
// =>   %param_1.1 = s32[4]{0:T(128)} parameter(1)
// =>   %iota.2 = s32[4,48]{1,0:T(4,128)} iota(), iota_dimension=1
// =>   %broadcast.17 = s32[4,48]{1,0:T(4,128)} broadcast(%param_0.1), dimensions={0}
// =>   %compare.4 = pred[4,48]{1,0:T(4,128)(4,1)} compare(%iota.2, %broadcast.17), direction=GE
// =>   %broadcast.18 = s32[4,48]{1,0:T(4,128)} broadcast(%param_1.1), dimensions={0}
// =>   %compare.5 = pred[4,48]{1,0:T(4,128)(4,1)} compare(%iota.2, %broadcast.18), direction=LT
// =>   ROOT %and.2 = pred[4,48]{1,0:T(4,128)(4,1)} and(%compare.4, %compare.5)
// => }
// => %fused_computation (param_0: pred[4,48], param_1: bf16[48,16], param_2: bf16[48,24]) -> bf16[4,16,24] {
// =>   %param_0 = pred[4,48]{1,0:T(4,128)(4,1)} parameter(0)
// =>   %param_1 = bf16[48,16]{0,1:T(8,128)(2,1)} parameter(1)
// =>   %param_2 = bf16[48,24]{0,1:T(8,128)(2,1)} parameter(2)
// =>   %broadcast.13 = pred[4,48,16]{1,2,0:T(8,128)(4,1)} broadcast(%param_0), dimensions={0,1}
// =>   %broadcast.14 = bf16[4,48,16]{1,2,0:T(8,128)(2,1)} broadcast(%param_1), dimensions={1,2}
// =>   %constant.5 = bf16[]{:T(256)} constant(0)
// =>   %broadcast.15 = bf16[4,48,16]{1,2,0:T(8,128)(2,1)} broadcast(%constant.5), dimensions={}
// =>   %convert.3 = f32[4,48,16]{1,2,0:T(8,128)} convert(%broadcast.14)
// =>   %convert.4 = f32[4,48,16]{1,2,0:T(8,128)} convert(%broadcast.15)
// =>   %select.2 = f32[4,48,16]{1,2,0:T(8,128)} select(%broadcast.13, %convert.3, %convert.4)
// =>   %broadcast.16 = bf16[4,48,24]{1,2,0:T(8,128)(2,1)} broadcast(%param_2), dimensions={1,2}
// =>   %convert.5 = bf16[4,48,16]{1,2,0:T(8,128)(2,1)} convert(%select.2)
// =>   ROOT %dot.4 = bf16[4,16,24]{2,1,0:T(8,128)(2,1)} dot(%convert.5, %broadcast.16), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={1}
// => }
// => ENTRY %main.1 (Arg_0.1: bf16[48,16], Arg_1.1: bf16[4,16,24], Arg_2.1: s32[4]) -> (bf16[48,24], bf16[4,16,24]) {
// =>   %Arg_0.1 = bf16[48,16]{0,1:T(8,128)(2,1)} parameter(0)
// =>   %Arg_1.1 = bf16[4,16,24]{2,1,0:T(8,128)(2,1)} parameter(1)
// =>   %copy-start = (bf16[4,16,24]{2,1,0:T(8,128)(2,1)S(1)}, bf16[4,16,24]{2,1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_1.1), cross_program_prefetch_index=0
// =>   %Arg_2.1 = s32[4]{0:T(128)} parameter(2)
// =>   %constant = s32[]{:T(128)} constant(0)
// =>   %copy-start.1 = (s32[4]{0:T(128)S(1)}, s32[4]{0:T(128)}, u32[]{:S(2)}) copy-start(%Arg_2.1)
// =>   %broadcast = s32[1]{0:T(128)S(1)} broadcast(%constant), dimensions={}
// =>   %copy-start.2 = (s32[4]{0:T(128)S(1)}, s32[4]{0:T(128)}, u32[]{:S(2)}) copy-start(%Arg_2.1)
// =>   %copy-start.3 = (bf16[48,16]{0,1:T(8,128)(2,1)S(1)}, bf16[48,16]{0,1:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_0.1)
// =>   %copy-done = s32[4]{0:T(128)S(1)} copy-done(%copy-start.1)
// =>   %reduce-window = s32[4]{0:T(128)S(1)} reduce-window(%copy-done, %constant), window={size=4 pad=3_0}, to_apply=%add_of
// =>   %concatenate = s32[5]{0:T(128)S(1)} concatenate(%broadcast, %reduce-window), dimensions={0}
// =>   %slice = s32[4]{0:T(128)S(1)} slice(%concatenate), slice={[0:4]}
// =>   %and_fusion.1 = pred[4,48]{1,0:T(4,128)(4,1)S(1)} fusion(%slice, %reduce-window), kind=kLoop, calls=%fused_computation.3
// =>   %copy-start.4 = (bf16[48,16]{0,1:T(8,128)(2,1)S(1)}, bf16[48,16]{0,1:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(%Arg_0.1)
// =>   %copy-done.1 = bf16[4,16,24]{2,1,0:T(8,128)(2,1)S(1)} copy-done(%copy-start)
// =>   %copy-done.2 = bf16[48,16]{0,1:T(8,128)(2,1)S(1)} copy-done(%copy-start.3)
// =>   %dot_reduce_fusion = bf16[48,24]{0,1:T(8,128)(2,1)S(1)} fusion(%and_fusion.1, %copy-done.2, %copy-done.1), kind=kOutput, calls=%fused_computation.2, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS","mask_dim_to_iteration_index":["0","2"]},"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"1536"}],"window_config":{"buffering_level":"2","input_window_bounds":["1","2","1"],"iteration_bounds":["4","1","1","1","1"],"kernel_window_bounds":["1","2","1"],"output_window_bounds":["1","3","1"]}}
// =>   %copy-start.5 = (bf16[48,24]{0,1:T(8,128)(2,1)}, bf16[48,24]{0,1:T(8,128)(2,1)S(1)}, u32[]{:S(2)}) copy-start(%dot_reduce_fusion)
// =>   %copy-done.3 = s32[4]{0:T(128)S(1)} copy-done(%copy-start.2)
// =>   %reduce-window.1 = s32[4]{0:T(128)S(1)} reduce-window(%copy-done.3, %constant), window={size=4 pad=3_0}, to_apply=%add_of.2
// =>   %concatenate.1 = s32[5]{0:T(128)S(1)} concatenate(%broadcast, %reduce-window.1), dimensions={0}
// =>   %slice.1 = s32[4]{0:T(128)S(1)} slice(%concatenate.1), slice={[0:4]}
// =>   %and_fusion = pred[4,48]{1,0:T(4,128)(4,1)S(1)} fusion(%slice.1, %reduce-window.1), kind=kLoop, calls=%fused_computation.1
// =>   %copy-done.4 = bf16[48,16]{0,1:T(8,128)(2,1)S(1)} copy-done(%copy-start.4)
// =>   %dot_fusion = bf16[4,16,24]{2,1,0:T(8,128)(2,1)} fusion(%and_fusion, %copy-done.4, %dot_reduce_fusion), kind=kOutput, calls=%fused_computation, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS","mask_dim_to_iteration_index":["0","4"]},"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"9728"}],"window_config":{"buffering_level":"2","input_window_bounds":["1","2","1"],"iteration_bounds":["4","1","1","1","1"],"kernel_window_bounds":["1","3","1"],"output_window_bounds":["1","2","1"]}}
// =>   %copy-done.5 = bf16[48,24]{0,1:T(8,128)(2,1)} copy-done(%copy-start.5)
// =>   ROOT %tuple.1 = (bf16[48,24]{0,1:T(8,128)(2,1)}, bf16[4,16,24]{2,1,0:T(8,128)(2,1)}) tuple(%copy-done.5, %dot_fusion)
// => }
