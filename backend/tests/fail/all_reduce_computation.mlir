// error: (C5) tensor<2xi32> does not promote to result 0 of the computation, tensor<f32>
func.func @main(%a: tensor<2xi32>) -> tensor<2xf32> {
  %r = "stablehlo.all_reduce"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
