// error: (C5) the operands make result 0 a tensor<2xf32>
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 3>, strides = array<i64: 2>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
