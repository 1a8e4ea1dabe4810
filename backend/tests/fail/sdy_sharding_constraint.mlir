// error: (sdy) the operands make result 0 a tensor<2x3xf32>
func.func @main(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
