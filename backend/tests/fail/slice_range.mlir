// error: (C3) slice 1:4 is not within dimension 0 of size 3
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %r = "stablehlo.slice"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64: 4>, strides = array<i64: 1>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
