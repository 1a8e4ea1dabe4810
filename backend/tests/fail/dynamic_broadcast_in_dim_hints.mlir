// error: (C8) known_expanding_dimensions + known_nonexpanding_dimensions has 0 twice
func.func @main(%a: tensor<?xf32>, %b: tensor<1xi64>) -> tensor<?xf32> {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
