// args: tensor<2x3xf64>
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

// => error: func.func: argument 0 of @main is tensor<?x3xf32>, and tensor<2x3xf64> was given
