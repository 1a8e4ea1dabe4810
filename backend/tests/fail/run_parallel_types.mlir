// error: (run_parallel) the programs take (tensor<2xf32>), but the operands are (tensor<3xf32>)
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @main(%a: tensor<3xf32>) -> tensor<2xf32> {
  %r = "interpreter.run_parallel"(%a) {programs = [[@f]]} : (tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
