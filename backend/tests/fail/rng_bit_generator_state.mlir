// error: (C1) initial_state and output_state must have the same shape
func.func @main(%a: tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return %r#0, %r#1 : tensor<3xui64>, tensor<4xui32>
}
