// error: (C4) the operands make result 0 a tensor<f32>
func.func @main(%a: tensor<i32>, %b: tensor<f32>) -> tensor<2xf32> {
  %r = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
