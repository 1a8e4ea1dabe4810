// error: @main declares result 0 as tensor<2xf32>, but its body returns tensor<3xf32>
func.func @main(%a: tensor<3xf32>) -> tensor<2xf32> {
  "func.return"(%a) : (tensor<3xf32>) -> ()
}
