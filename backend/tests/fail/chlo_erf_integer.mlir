// error: (I1) operand must be a tensor of floating-point type
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %r = chlo.erf %a : tensor<2xi32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}
