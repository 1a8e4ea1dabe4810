// args: tensor<6x2xf32>
func.func @main(%x: tensor<?x2xf32>) -> tensor<?x4xf32> {
  %y = stablehlo.reshape %x : (tensor<?x2xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
