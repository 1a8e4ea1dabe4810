// error: @main returns (tensor<3xf32>), and its signature says (tensor<2xf32>)
func.func @main(%a: tensor<3xf32>) -> tensor<2xf32> {
  "func.return"(%a) : (tensor<3xf32>) -> ()
}
