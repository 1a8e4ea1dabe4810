// error: (C2) stablehlo.add cannot run asynchronously
func.func @main(%a: tensor<2x3xf32>) -> !stablehlo.future<tensor<2x3xf32>> {
  %r = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2x3xf32>):
    %s = stablehlo.add %x, %x : tensor<2x3xf32>
    stablehlo.return %s : tensor<2x3xf32>
  }) : (tensor<2x3xf32>) -> !stablehlo.future<tensor<2x3xf32>>
  return %r : !stablehlo.future<tensor<2x3xf32>>
}
