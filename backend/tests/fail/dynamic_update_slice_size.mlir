// error: (C6) dimension 0 of update has size 4, more than the operand's 3
func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<i32>) -> tensor<3xf32> {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<3xf32>, tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
