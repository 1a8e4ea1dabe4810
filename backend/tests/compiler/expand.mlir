// compile: v6e inline
// What HLO has no operation for is expanded, in f32 at least.
func.func @main(%x: tensor<8x128xbf16>, %y: tensor<8x128xf32>) -> (tensor<8x128xbf16>, tensor<8x128xi1>) {
  %0 = chlo.erf_inv %x : tensor<8x128xbf16> -> tensor<8x128xbf16>
  %1 = chlo.is_pos_inf %y : tensor<8x128xf32> -> tensor<8x128xi1>
  return %0, %1 : tensor<8x128xbf16>, tensor<8x128xi1>
}

// => ENTRY %main.1 (Arg_0.1: bf16[8,128], Arg_1.1: f32[8,128]) -> (bf16[8,128], pred[8,128]) {
// =>   %Arg_0.1 = bf16[8,128]{1,0} parameter(0)
// =>   %convert.1 = f32[8,128]{1,0} convert(%Arg_0.1)
// =>   %abs.1 = f32[8,128]{1,0} abs(%convert.1)
// =>   %constant.1 = f32[] constant(1)
// =>   %broadcast.1 = f32[8,128]{1,0} broadcast(%constant.1), dimensions={}
// =>   %compare.1 = pred[8,128]{1,0} compare(%abs.1, %broadcast.1), direction=EQ
// =>   %constant.2 = f32[] constant(inf)
// =>   %broadcast.2 = f32[8,128]{1,0} broadcast(%constant.2), dimensions={}
// =>   %multiply.1 = f32[8,128]{1,0} multiply(%convert.1, %broadcast.2)
// =>   %negate.1 = f32[8,128]{1,0} negate(%convert.1)
// =>   %multiply.2 = f32[8,128]{1,0} multiply(%convert.1, %negate.1)
// =>   %log-plus-one.1 = f32[8,128]{1,0} log-plus-one(%multiply.2)
// =>   %negate.2 = f32[8,128]{1,0} negate(%log-plus-one.1)
// =>   %constant.3 = f32[] constant(5)
// =>   %broadcast.3 = f32[8,128]{1,0} broadcast(%constant.3), dimensions={}
// =>   %compare.2 = pred[8,128]{1,0} compare(%negate.2, %broadcast.3), direction=LT
// =>   %constant.4 = f32[] constant(1.50140941)
// =>   %broadcast.4 = f32[8,128]{1,0} broadcast(%constant.4), dimensions={}
// =>   %constant.5 = f32[] constant(2.83297682)
// =>   %broadcast.5 = f32[8,128]{1,0} broadcast(%constant.5), dimensions={}
// =>   %select.1 = f32[8,128]{1,0} select(%compare.2, %broadcast.4, %broadcast.5)
// =>   %constant.6 = f32[] constant(0.246640727)
// =>   %broadcast.6 = f32[8,128]{1,0} broadcast(%constant.6), dimensions={}
// =>   %constant.7 = f32[] constant(1.00167406)
// =>   %broadcast.7 = f32[8,128]{1,0} broadcast(%constant.7), dimensions={}
// =>   %select.2 = f32[8,128]{1,0} select(%compare.2, %broadcast.6, %broadcast.7)
// =>   %constant.8 = f32[] constant(-0.00417768164)
// =>   %broadcast.8 = f32[8,128]{1,0} broadcast(%constant.8), dimensions={}
// =>   %constant.9 = f32[] constant(0.00943887047)
// =>   %broadcast.9 = f32[8,128]{1,0} broadcast(%constant.9), dimensions={}
// =>   %select.3 = f32[8,128]{1,0} select(%compare.2, %broadcast.8, %broadcast.9)
// =>   %constant.10 = f32[] constant(-0.00125372503)
// =>   %broadcast.10 = f32[8,128]{1,0} broadcast(%constant.10), dimensions={}
// =>   %constant.11 = f32[] constant(-0.0076224613)
// =>   %broadcast.11 = f32[8,128]{1,0} broadcast(%constant.11), dimensions={}
// =>   %select.4 = f32[8,128]{1,0} select(%compare.2, %broadcast.10, %broadcast.11)
// =>   %constant.12 = f32[] constant(0.00021858087)
// =>   %broadcast.12 = f32[8,128]{1,0} broadcast(%constant.12), dimensions={}
// =>   %constant.13 = f32[] constant(0.00573950773)
// =>   %broadcast.13 = f32[8,128]{1,0} broadcast(%constant.13), dimensions={}
// =>   %select.5 = f32[8,128]{1,0} select(%compare.2, %broadcast.12, %broadcast.13)
// =>   %constant.14 = f32[] constant(-4.39150654e-06)
// =>   %broadcast.14 = f32[8,128]{1,0} broadcast(%constant.14), dimensions={}
// =>   %constant.15 = f32[] constant(-0.00367342844)
// =>   %broadcast.15 = f32[8,128]{1,0} broadcast(%constant.15), dimensions={}
// =>   %select.6 = f32[8,128]{1,0} select(%compare.2, %broadcast.14, %broadcast.15)
// =>   %constant.16 = f32[] constant(-3.5233877e-06)
// =>   %broadcast.16 = f32[8,128]{1,0} broadcast(%constant.16), dimensions={}
// =>   %constant.17 = f32[] constant(0.00134934322)
// =>   %broadcast.17 = f32[8,128]{1,0} broadcast(%constant.17), dimensions={}
// =>   %select.7 = f32[8,128]{1,0} select(%compare.2, %broadcast.16, %broadcast.17)
// =>   %constant.18 = f32[] constant(3.43273939e-07)
// =>   %broadcast.18 = f32[8,128]{1,0} broadcast(%constant.18), dimensions={}
// =>   %constant.19 = f32[] constant(0.000100950558)
// =>   %broadcast.19 = f32[8,128]{1,0} broadcast(%constant.19), dimensions={}
// =>   %select.8 = f32[8,128]{1,0} select(%compare.2, %broadcast.18, %broadcast.19)
// =>   %constant.20 = f32[] constant(2.81022636e-08)
// =>   %broadcast.20 = f32[8,128]{1,0} broadcast(%constant.20), dimensions={}
// =>   %constant.21 = f32[] constant(-0.000200214257)
// =>   %broadcast.21 = f32[8,128]{1,0} broadcast(%constant.21), dimensions={}
// =>   %select.9 = f32[8,128]{1,0} select(%compare.2, %broadcast.20, %broadcast.21)
// =>   %constant.22 = f32[] constant(2.5)
// =>   %broadcast.22 = f32[8,128]{1,0} broadcast(%constant.22), dimensions={}
// =>   %subtract.1 = f32[8,128]{1,0} subtract(%negate.2, %broadcast.22)
// =>   %sqrt.1 = f32[8,128]{1,0} sqrt(%negate.2)
// =>   %constant.23 = f32[] constant(3)
// =>   %broadcast.23 = f32[8,128]{1,0} broadcast(%constant.23), dimensions={}
// =>   %subtract.2 = f32[8,128]{1,0} subtract(%sqrt.1, %broadcast.23)
// =>   %select.10 = f32[8,128]{1,0} select(%compare.2, %subtract.1, %subtract.2)
// =>   %multiply.3 = f32[8,128]{1,0} multiply(%select.9, %select.10)
// =>   %add.1 = f32[8,128]{1,0} add(%select.8, %multiply.3)
// =>   %multiply.4 = f32[8,128]{1,0} multiply(%add.1, %select.10)
// =>   %add.2 = f32[8,128]{1,0} add(%select.7, %multiply.4)
// =>   %multiply.5 = f32[8,128]{1,0} multiply(%add.2, %select.10)
// =>   %add.3 = f32[8,128]{1,0} add(%select.6, %multiply.5)
// =>   %multiply.6 = f32[8,128]{1,0} multiply(%add.3, %select.10)
// =>   %add.4 = f32[8,128]{1,0} add(%select.5, %multiply.6)
// =>   %multiply.7 = f32[8,128]{1,0} multiply(%add.4, %select.10)
// =>   %add.5 = f32[8,128]{1,0} add(%select.4, %multiply.7)
// =>   %multiply.8 = f32[8,128]{1,0} multiply(%add.5, %select.10)
// =>   %add.6 = f32[8,128]{1,0} add(%select.3, %multiply.8)
// =>   %multiply.9 = f32[8,128]{1,0} multiply(%add.6, %select.10)
// =>   %add.7 = f32[8,128]{1,0} add(%select.2, %multiply.9)
// =>   %multiply.10 = f32[8,128]{1,0} multiply(%add.7, %select.10)
// =>   %add.8 = f32[8,128]{1,0} add(%select.1, %multiply.10)
// =>   %multiply.11 = f32[8,128]{1,0} multiply(%add.8, %convert.1)
// =>   %select.11 = f32[8,128]{1,0} select(%compare.1, %multiply.1, %multiply.11)
// =>   %convert.2 = bf16[8,128]{1,0} convert(%select.11)
// =>   %Arg_1.1 = f32[8,128]{1,0} parameter(1)
// =>   %constant.24 = f32[] constant(inf)
// =>   %broadcast.24 = f32[8,128]{1,0} broadcast(%constant.24), dimensions={}
// =>   %compare.3 = pred[8,128]{1,0} compare(%Arg_1.1, %broadcast.24), direction=EQ
// =>   ROOT %tuple.1 = (bf16[8,128]{1,0}, pred[8,128]{1,0}) tuple(%convert.2, %compare.3)
// => }
