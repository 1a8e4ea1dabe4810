// args: tensor<2xf32>; tensor<3xf32>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %z = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// => error: stablehlo.dynamic_broadcast_in_dim: (C5) dimension 0 of operand has size 2, neither 1 nor the size 3 of dimension 0 of result
