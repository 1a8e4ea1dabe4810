// error: (check) tensor<2xf32> cannot be compared with tensor<3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}
