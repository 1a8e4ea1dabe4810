// compile: v6e fuse
// Three kernels, as XLA:TPU makes of it: exponentials are computed twice rather than written and read.
func.func @main(%x: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x4096xf32>, tensor<f32>) -> tensor<1024xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1024xf32>) -> tensor<1024x4096xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<1024x4096xf32>
  %3 = stablehlo.exponential %2 : tensor<1024x4096xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1024x4096xf32>, tensor<f32>) -> tensor<1024xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1024xf32>) -> tensor<1024x4096xf32>
  %6 = stablehlo.divide %3, %5 : tensor<1024x4096xf32>
  return %6 : tensor<1024x4096xf32>
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
// => %fused_computation.1 (param_0.1: f32[1024], param_1.1: f32[1024,4096]) -> f32[1024] {
// =>   %param_1.1 = f32[1024,4096]{1,0:T(8,128)} parameter(1)
// =>   %param_0.1 = f32[1024]{0:T(1024)} parameter(0)
// =>   %broadcast.4 = f32[1024,4096]{1,0:T(8,128)} broadcast(%param_0.1), dimensions={0}
// =>   %subtract.2 = f32[1024,4096]{1,0:T(8,128)} subtract(%param_1.1, %broadcast.4)
// =>   %exponential.2 = f32[1024,4096]{1,0:T(8,128)} exponential(%subtract.2)
// =>   %constant = f32[]{:T(128)} constant(0)
// =>   ROOT %reduce = f32[1024]{0:T(1024)} reduce(%exponential.2, %constant), dimensions={1}, to_apply=%region.2
// => }
// => %fused_computation (param_0: f32[1024], param_1: f32[1024,4096], param_2: f32[1024]) -> f32[1024,4096] {
// =>   %param_1 = f32[1024,4096]{1,0:T(8,128)} parameter(1)
// =>   %param_0 = f32[1024]{0:T(1024)} parameter(0)
// =>   %broadcast = f32[1024,4096]{1,0:T(8,128)} broadcast(%param_0), dimensions={0}
// =>   %subtract = f32[1024,4096]{1,0:T(8,128)} subtract(%param_1, %broadcast)
// =>   %exponential = f32[1024,4096]{1,0:T(8,128)} exponential(%subtract)
// =>   %param_2 = f32[1024]{0:T(1024)} parameter(2)
// =>   %broadcast.3 = f32[1024,4096]{1,0:T(8,128)} broadcast(%param_2), dimensions={0}
// =>   ROOT %divide = f32[1024,4096]{1,0:T(8,128)} divide(%exponential, %broadcast.3)
// => }
// => ENTRY %main.3 (Arg_0.3: f32[1024,4096]) -> f32[1024,4096] {
// =>   %Arg_0.3 = f32[1024,4096]{1,0:T(8,128)} parameter(0)
// =>   %constant.1 = f32[]{:T(128)} constant(-inf)
// =>   %reduce.1 = f32[1024]{0:T(1024)} reduce(%Arg_0.3, %constant.1), dimensions={1}, to_apply=%region.1
// =>   %reduce_fusion = f32[1024]{0:T(1024)} fusion(%reduce.1, %Arg_0.3), kind=kInput, calls=%fused_computation.1
// =>   ROOT %divide_fusion = f32[1024,4096]{1,0:T(8,128)} fusion(%reduce.1, %Arg_0.3, %reduce_fusion), kind=kLoop, calls=%fused_computation
// => }
