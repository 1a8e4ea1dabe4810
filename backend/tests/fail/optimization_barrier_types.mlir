// error: (C1) the operands make result 0 a tensor<f32>
func.func @main(%a: tensor<f32>) -> tensor<i32> {
  %r = "stablehlo.optimization_barrier"(%a) : (tensor<f32>) -> tensor<i32>
  return %r : tensor<i32>
}
