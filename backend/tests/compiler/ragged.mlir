// compile: v6e ragged
// Rows in groups are multiplied with their group's weights: all of them, under a mask. So are gradients of weights, whose mask comes before the product.
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
// => %add_of.1 (argument.2: bf16[], argument.3: bf16[]) -> bf16[] {
// =>   %argument.2 = bf16[] parameter(0)
// =>   %argument.3 = bf16[] parameter(1)
// =>   ROOT %add.1 = bf16[] add(%argument.2, %argument.3)
// => }
// => %add_of.2 (argument.4: s32[], argument.5: s32[]) -> s32[] {
// =>   %argument.4 = s32[] parameter(0)
// =>   %argument.5 = s32[] parameter(1)
// =>   ROOT %add.2 = s32[] add(%argument.4, %argument.5)
// => }
// => ENTRY %main.1 (Arg_0.1: bf16[48,16], Arg_1.1: bf16[4,16,24], Arg_2.1: s32[4]) -> (bf16[48,24], bf16[4,16,24]) {
// =>   %iota = s32[4,48]{1,0} iota(), iota_dimension=1
// =>   %constant = s32[] constant(0)
// =>   %broadcast = s32[1]{0} broadcast(%constant), dimensions={}
// =>   %Arg_2.1 = s32[4]{0} parameter(2)
// =>   %reduce-window = s32[4]{0} reduce-window(%Arg_2.1, %constant), window={size=4 pad=3_0}, to_apply=%add_of
// =>   %concatenate = s32[5]{0} concatenate(%broadcast, %reduce-window), dimensions={0}
// =>   %slice = s32[4]{0} slice(%concatenate), slice={[0:4]}
// =>   %broadcast.1 = s32[4,48]{1,0} broadcast(%slice), dimensions={0}
// =>   %compare = pred[4,48]{1,0} compare(%iota, %broadcast.1), direction=GE
// =>   %broadcast.2 = s32[4,48]{1,0} broadcast(%reduce-window), dimensions={0}
// =>   %compare.1 = pred[4,48]{1,0} compare(%iota, %broadcast.2), direction=LT
// =>   %and = pred[4,48]{1,0} and(%compare, %compare.1)
// =>   %broadcast.5 = pred[4,48,24]{2,1,0} broadcast(%and), dimensions={0,1}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %Arg_0.1 = bf16[48,16]{1,0} parameter(0)
// =>   %broadcast.3 = bf16[4,48,16]{2,1,0} broadcast(%Arg_0.1), dimensions={1,2}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %Arg_1.1 = bf16[4,16,24]{2,1,0} parameter(1)
// =>   %dot = bf16[4,48,24]{2,1,0} dot(%broadcast.3, %Arg_1.1), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %constant.1 = bf16[] constant(0), backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %broadcast.4 = bf16[4,48,24]{2,1,0} broadcast(%constant.1), dimensions={}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %select = bf16[4,48,24]{2,1,0} select(%broadcast.5, %dot, %broadcast.4), backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %constant.2 = bf16[] constant(0), backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %reduce = bf16[48,24]{1,0} reduce(%select, %constant.2), dimensions={0}, to_apply=%add_of.1, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","2"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %iota.1 = s32[4,48]{1,0} iota(), iota_dimension=1
// =>   %constant.3 = s32[] constant(0)
// =>   %broadcast.6 = s32[1]{0} broadcast(%constant.3), dimensions={}
// =>   %reduce-window.1 = s32[4]{0} reduce-window(%Arg_2.1, %constant.3), window={size=4 pad=3_0}, to_apply=%add_of.2
// =>   %concatenate.1 = s32[5]{0} concatenate(%broadcast.6, %reduce-window.1), dimensions={0}
// =>   %slice.1 = s32[4]{0} slice(%concatenate.1), slice={[0:4]}
// =>   %broadcast.7 = s32[4,48]{1,0} broadcast(%slice.1), dimensions={0}
// =>   %compare.2 = pred[4,48]{1,0} compare(%iota.1, %broadcast.7), direction=GE
// =>   %broadcast.8 = s32[4,48]{1,0} broadcast(%reduce-window.1), dimensions={0}
// =>   %compare.3 = pred[4,48]{1,0} compare(%iota.1, %broadcast.8), direction=LT
// =>   %and.1 = pred[4,48]{1,0} and(%compare.2, %compare.3)
// =>   %broadcast.11 = pred[4,48,16]{2,1,0} broadcast(%and.1), dimensions={0,1}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %broadcast.9 = bf16[4,48,16]{2,1,0} broadcast(%Arg_0.1), dimensions={1,2}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %constant.4 = bf16[] constant(0), backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %broadcast.10 = bf16[4,48,16]{2,1,0} broadcast(%constant.4), dimensions={}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %select.1 = bf16[4,48,16]{2,1,0} select(%broadcast.11, %broadcast.9, %broadcast.10), backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %broadcast.12 = bf16[4,48,24]{2,1,0} broadcast(%reduce), dimensions={1,2}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   %dot.1 = bf16[4,16,24]{2,1,0} dot(%select.1, %broadcast.12), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={1}, backend_config={"convolution_algorithm_config":{"is_ragged_dot":true,"num_groups_in_ragged_dot":"4"},"mask_aggregator_config":{"mask_dim_to_iteration_index":["0","4"],"iteration_skipper_mode":"ITERATION_SKIPPER_MODE_GROUP_STARTS"}}
// =>   ROOT %tuple.1 = (bf16[48,24]{1,0}, bf16[4,16,24]{2,1,0}) tuple(%reduce, %dot.1)
// => }
