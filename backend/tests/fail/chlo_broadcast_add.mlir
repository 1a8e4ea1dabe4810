// error: (broadcast_dimensions) dimension 0: sizes 3 and 4 do not broadcast
func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = chlo.broadcast_add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
