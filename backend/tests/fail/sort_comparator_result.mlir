// error: (C5) the comparator must return one tensor<i1>
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %r = "stablehlo.sort"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {dimension = 0 : i64, is_stable = false} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
