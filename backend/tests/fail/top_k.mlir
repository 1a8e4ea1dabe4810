// error: (top_k) k = 4 is not within 0..=3, the size of the last dimension
func.func @main(%a: tensor<3xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r:2 = chlo.top_k(%a, k = 4) : tensor<3xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}
