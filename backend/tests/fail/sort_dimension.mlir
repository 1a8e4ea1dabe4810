// error: (C4) dimension 1 is not within -1..1
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %r = "stablehlo.sort"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64, is_stable = false} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
