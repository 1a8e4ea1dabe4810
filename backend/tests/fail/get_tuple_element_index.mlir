// error: (C1) index 1 is not within the 1 parts of the tuple
func.func @main(%a: tuple<tensor<f32>>) -> tensor<f32> {
  %r = "stablehlo.get_tuple_element"(%a) {index = 1 : i32} : (tuple<tensor<f32>>) -> tensor<f32>
  return %r : tensor<f32>
}
