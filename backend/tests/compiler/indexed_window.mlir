// compile: v6e indexed
// One row that is replaced: an update by a slice, of what was there where the row is outside.
func.func @main(%t: tensor<300x8xf32>, %i: tensor<1xi32>, %u: tensor<8xf32>) -> tensor<300x8xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<300x8xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<300x8xf32>
  return %0 : tensor<300x8xf32>
}

// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   ROOT %Arg_1.1 = f32[] parameter(1)
// => }
// => ENTRY %main.2 (Arg_0.2: f32[300,8], Arg_1.2: s32[1], Arg_2.1: f32[8]) -> f32[300,8] {
// =>   %Arg_0.2 = f32[300,8]{1,0} parameter(0)
// =>   %Arg_1.2 = s32[1]{0} parameter(1)
// =>   %reshape = s32[] reshape(%Arg_1.2)
// =>   %constant.1 = s32[] constant(0)
// =>   %constant.2 = s32[] constant(299)
// =>   %clamp = s32[] clamp(%constant.1, %reshape, %constant.2)
// =>   %compare = pred[] compare(%reshape, %clamp), direction=NE
// =>   %broadcast = pred[1,8]{1,0} broadcast(%compare), dimensions={}
// =>   %constant = s32[] constant(0)
// =>   %dynamic-slice = f32[1,8]{1,0} dynamic-slice(%Arg_0.2, %reshape, %constant), dynamic_slice_sizes={1,8}
// =>   %Arg_2.1 = f32[8]{0} parameter(2)
// =>   %reshape.1 = f32[1,8]{1,0} reshape(%Arg_2.1)
// =>   %select = f32[1,8]{1,0} select(%broadcast, %dynamic-slice, %reshape.1)
// =>   ROOT %dynamic-update-slice = f32[300,8]{1,0} dynamic-update-slice(%Arg_0.2, %select, %reshape, %constant)
// => }
