// error: (C4) stride 0 of dimension 0 must be positive
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 3>, strides = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
