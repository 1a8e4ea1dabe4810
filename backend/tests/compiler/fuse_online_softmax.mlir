// compile: v6e fuse
// Scores of three dimensions are read once, for the softmax and the product behind it.
func.func @main(%s: tensor<4x256x512xf32>, %v: tensor<4x512x128xbf16>) -> tensor<4x256x128xbf16> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%s init: %ninf) applies stablehlo.maximum across dimensions = [2] : (tensor<4x256x512xf32>, tensor<f32>) -> tensor<4x256xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x256xf32>) -> tensor<4x256x512xf32>
  %2 = stablehlo.subtract %s, %1 : tensor<4x256x512xf32>
  %3 = stablehlo.exponential %2 : tensor<4x256x512xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x256x512xf32>, tensor<f32>) -> tensor<4x256xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x256xf32>) -> tensor<4x256x512xf32>
  %6 = stablehlo.divide %3, %5 : tensor<4x256x512xf32>
  %7 = stablehlo.convert %6 : (tensor<4x256x512xf32>) -> tensor<4x256x512xbf16>
  %8 = stablehlo.dot_general %7, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x256x512xbf16>, tensor<4x512x128xbf16>) -> tensor<4x256x128xbf16>
  return %8 : tensor<4x256x128xbf16>
}

// => %region.1 (Arg_0.1: f32[], Arg_1.1: f32[]) -> f32[] {
// =>   %Arg_0.1 = f32[] parameter(0)
// =>   %Arg_1.1 = f32[] parameter(1)
// =>   ROOT %maximum.1 = f32[] maximum(%Arg_0.1, %Arg_1.1)
// => }
// => %region.2 (Arg_0.2: f32[], Arg_1.2: f32[]) -> f32[] {
// =>   %Arg_0.2 = f32[] parameter(0)
// =>   %Arg_1.2 = f32[] parameter(1)
// =>   ROOT %add.1 = f32[] add(%Arg_0.2, %Arg_1.2)
// => }
// => %fused_computation.1 (param_0.1: f32[4,256], param_1.1: f32[4,256,512]) -> f32[4,256] {
// =>   %param_1.1 = f32[4,256,512]{2,1,0:T(8,128)} parameter(1)
// =>   %param_0.1 = f32[4,256]{1,0:T(4,128)} parameter(0)
// =>   %broadcast.4 = f32[4,256,512]{2,1,0:T(8,128)} broadcast(%param_0.1), dimensions={0,1}
// =>   %subtract.2 = f32[4,256,512]{2,1,0:T(8,128)} subtract(%param_1.1, %broadcast.4)
// =>   %exponential.2 = f32[4,256,512]{2,1,0:T(8,128)} exponential(%subtract.2)
// =>   %constant = f32[]{:T(128)} constant(0)
// =>   ROOT %reduce = f32[4,256]{1,0:T(4,128)} reduce(%exponential.2, %constant), dimensions={2}, to_apply=%region.2
// => }
// => %fused_computation (param_0: f32[4,256], param_1: f32[4,256,512], param_2: f32[4,256], param_3: bf16[4,512,128]) -> bf16[4,256,128] {
// =>   %param_1 = f32[4,256,512]{2,1,0:T(8,128)} parameter(1)
// =>   %param_0 = f32[4,256]{1,0:T(4,128)} parameter(0)
// =>   %broadcast = f32[4,256,512]{2,1,0:T(8,128)} broadcast(%param_0), dimensions={0,1}
// =>   %subtract = f32[4,256,512]{2,1,0:T(8,128)} subtract(%param_1, %broadcast)
// =>   %exponential = f32[4,256,512]{2,1,0:T(8,128)} exponential(%subtract)
// =>   %param_2 = f32[4,256]{1,0:T(4,128)} parameter(2)
// =>   %broadcast.3 = f32[4,256,512]{2,1,0:T(8,128)} broadcast(%param_2), dimensions={0,1}
// =>   %divide = f32[4,256,512]{2,1,0:T(8,128)} divide(%exponential, %broadcast.3)
// =>   %convert = bf16[4,256,512]{2,1,0:T(8,128)(2,1)} convert(%divide)
// =>   %param_3 = bf16[4,512,128]{2,1,0:T(8,128)(2,1)} parameter(3)
// =>   ROOT %dot.2 = bf16[4,256,128]{2,1,0:T(8,128)(2,1)} dot(%convert, %param_3), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
// => }
// => ENTRY %main.3 (Arg_0.3: f32[4,256,512], Arg_1.3: bf16[4,512,128]) -> bf16[4,256,128] {
// =>   %Arg_0.3 = f32[4,256,512]{2,1,0:T(8,128)} parameter(0)
// =>   %constant.1 = f32[]{:T(128)} constant(-inf)
// =>   %reduce.1 = f32[4,256]{1,0:T(4,128)} reduce(%Arg_0.3, %constant.1), dimensions={2}, to_apply=%region.1
// =>   %reduce_fusion = f32[4,256]{1,0:T(4,128)} fusion(%reduce.1, %Arg_0.3), kind=kInput, calls=%fused_computation.1
// =>   %Arg_1.3 = bf16[4,512,128]{2,1,0:T(8,128)(2,1)} parameter(1)
// =>   ROOT %dot_fusion = bf16[4,256,128]{2,1,0:T(8,128)(2,1)} fusion(%reduce.1, %Arg_0.3, %reduce_fusion, %Arg_1.3), kind=kOutput, calls=%fused_computation
// => }
