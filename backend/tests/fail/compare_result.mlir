// error: (C2) the operands make result 0 a tensor<2xi1>
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi8> {
  %r = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}
