// compile: v6e indexed
// A value for each row: a choice.
func.func @main(%t: tensor<30x90xf32>, %i: tensor<30x1xi32>, %u: tensor<30xf32>) -> tensor<30x90xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<30x90xf32>, tensor<30x1xi32>, tensor<30xf32>) -> tensor<30x90xf32>
  return %0 : tensor<30x90xf32>
}

// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.1, %Arg_1.1)
// => }
// => ENTRY %main.2 (Arg_0.2: f32[30,90], Arg_1.2: s32[30,1], Arg_2.1: f32[30]) -> f32[30,90] {
// =>   %iota = s32[30,90]{1,0} iota(), iota_dimension=1
// =>   %Arg_1.2 = s32[30,1]{1,0} parameter(1)
// =>   %reshape = s32[30]{0} reshape(%Arg_1.2)
// =>   %broadcast = s32[30,90]{1,0} broadcast(%reshape), dimensions={0}
// =>   %compare = pred[30,90]{1,0} compare(%iota, %broadcast), direction=EQ
// =>   %Arg_0.2 = f32[30,90]{1,0} parameter(0)
// =>   %Arg_2.1 = f32[30]{0} parameter(2)
// =>   %broadcast.1 = f32[30,90]{1,0} broadcast(%Arg_2.1), dimensions={0}
// =>   %add = f32[30,90]{1,0} add(%Arg_0.2, %broadcast.1)
// =>   ROOT %select = f32[30,90]{1,0} select(%compare, %add, %Arg_0.2)
// => }
