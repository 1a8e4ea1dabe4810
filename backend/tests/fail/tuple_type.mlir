// error: (C1) the operands make result 0 a tuple<tensor<f32>>
func.func @main(%a: tensor<f32>) -> tuple<tensor<i32>> {
  %r = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<i32>>
  return %r : tuple<tensor<i32>>
}
