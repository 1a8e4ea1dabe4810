// error: (I1) index must be of type i32
func.func @main(%a: tensor<i64>, %b: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.case"(%a) ({
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i64>) -> tensor<f32>
  return %r : tensor<f32>
}
