// compile: v6e indexed
func.func @main(%t: tensor<70x50xf32>, %i: tensor<3x4x2xi32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<70x50xf32>, tensor<3x4x2xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// => ENTRY %main.1 (Arg_0.1: f32[70,50], Arg_1.1: s32[3,4,2]) -> f32[3,4] {
// =>   %Arg_0.1 = f32[70,50]{1,0} parameter(0)
// =>   %constant = s32[] constant(0)
// =>   %broadcast = s32[3,4]{1,0} broadcast(%constant), dimensions={}
// =>   %Arg_1.1 = s32[3,4,2]{2,1,0} parameter(1)
// =>   %slice = s32[3,4,1]{2,1,0} slice(%Arg_1.1), slice={[0:3], [0:4], [0:1]}
// =>   %reshape = s32[3,4]{1,0} reshape(%slice)
// =>   %constant.1 = s32[] constant(69)
// =>   %broadcast.1 = s32[3,4]{1,0} broadcast(%constant.1), dimensions={}
// =>   %clamp = s32[3,4]{1,0} clamp(%broadcast, %reshape, %broadcast.1)
// =>   %constant.2 = s32[] constant(0)
// =>   %broadcast.2 = s32[3,4]{1,0} broadcast(%constant.2), dimensions={}
// =>   %slice.1 = s32[3,4,1]{2,1,0} slice(%Arg_1.1), slice={[0:3], [0:4], [1:2]}
// =>   %reshape.1 = s32[3,4]{1,0} reshape(%slice.1)
// =>   %constant.3 = s32[] constant(49)
// =>   %broadcast.3 = s32[3,4]{1,0} broadcast(%constant.3), dimensions={}
// =>   %clamp.1 = s32[3,4]{1,0} clamp(%broadcast.2, %reshape.1, %broadcast.3)
// =>   %constant.4 = s32[] constant(7)
// =>   %broadcast.4 = s32[3,4]{1,0} broadcast(%constant.4), dimensions={}
// =>   %shift-left = s32[3,4]{1,0} shift-left(%clamp.1, %broadcast.4)
// =>   %or = s32[3,4]{1,0} or(%clamp, %shift-left)
// =>   %reshape.2 = s32[12]{0} reshape(%or)
// =>   %constant.5 = s32[] constant(127)
// =>   %broadcast.5 = s32[12]{0} broadcast(%constant.5), dimensions={}
// =>   %and = s32[12]{0} and(%reshape.2, %broadcast.5)
// =>   %reshape.3 = s32[12,1]{1,0} reshape(%and)
// =>   %constant.6 = s32[] constant(7)
// =>   %broadcast.6 = s32[12]{0} broadcast(%constant.6), dimensions={}
// =>   %shift-right-arithmetic = s32[12]{0} shift-right-arithmetic(%reshape.2, %broadcast.6)
// =>   %reshape.4 = s32[12,1]{1,0} reshape(%shift-right-arithmetic)
// =>   %concatenate = s32[12,2]{1,0} concatenate(%reshape.3, %reshape.4), dimensions={1}
// =>   %gather = f32[12]{0} gather(%Arg_0.1, %concatenate), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}
// =>   ROOT %reshape.5 = f32[3,4]{1,0} reshape(%gather)
// => }
