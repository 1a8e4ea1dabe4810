// error: (C2) body returns (tensor<i64>), but the operands are (tensor<i32>)
func.func @main(%a: tensor<i32>, %b: tensor<i1>, %c: tensor<i64>) -> tensor<i32> {
  %r = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %b : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %c : tensor<i64>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
