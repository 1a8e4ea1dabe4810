// args: tensor<5x8xf32>
func.func @main(%x: tensor<?x8xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>> {
  return %x : tensor<?x8xf32, #stablehlo.bounds<4, ?>>
}

// => error: func.func: argument 0 of @main is tensor<?x8xf32, #stablehlo.bounds<4, ?>>, and tensor<5x8xf32> was given
