// compile: v6e floats
// Sums of bf16 are not rounded before they are multiplied; what the program itself narrows is.
func.func @main(%x: tensor<64x256xbf16>, %y: tensor<64x256xbf16>, %z: tensor<64x256xf32>) -> tensor<64x256xbf16> {
  %a = stablehlo.add %x, %y : tensor<64x256xbf16>
  %n = stablehlo.convert %z : (tensor<64x256xf32>) -> tensor<64x256xbf16>
  %m = stablehlo.multiply %a, %n : tensor<64x256xbf16>
  return %m : tensor<64x256xbf16>
}

// => %fused_computation (param_0: bf16[64,256], param_1: bf16[64,256], param_2: f32[64,256]) -> bf16[64,256] {
// =>   %param_0 = bf16[64,256]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %convert.2 = f32[64,256]{1,0:T(8,128)} convert(%param_0)
// =>   %param_1 = bf16[64,256]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %convert.3 = f32[64,256]{1,0:T(8,128)} convert(%param_1)
// =>   %add = f32[64,256]{1,0:T(8,128)} add(%convert.2, %convert.3)
// =>   %param_2 = f32[64,256]{1,0:T(8,128)} parameter(2)
// =>   %convert = bf16[64,256]{1,0:T(8,128)(2,1)} convert(%param_2)
// =>   %convert.4 = f32[64,256]{1,0:T(8,128)} convert(%convert)
// =>   %multiply = f32[64,256]{1,0:T(8,128)} multiply(%add, %convert.4)
// =>   ROOT %convert.5 = bf16[64,256]{1,0:T(8,128)(2,1)} convert(%multiply)
// => }
// => ENTRY %main.1 (Arg_0.1: bf16[64,256], Arg_1.1: bf16[64,256], Arg_2.1: f32[64,256]) -> bf16[64,256] {
// =>   %Arg_0.1 = bf16[64,256]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %Arg_1.1 = bf16[64,256]{1,0:T(8,128)(2,1)} parameter(1)
// =>   %Arg_2.1 = f32[64,256]{1,0:T(8,128)} parameter(2)
// =>   ROOT %multiply_fusion = bf16[64,256]{1,0:T(8,128)(2,1)} fusion(%Arg_0.1, %Arg_1.1, %Arg_2.1), kind=kLoop, calls=%fused_computation
// => }
