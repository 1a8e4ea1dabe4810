// error: (C5) argument 0 of the comparator is tensor<f32>, but the input is tensor<3xi32>
func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {
  %r = "stablehlo.sort"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = false} : (tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
