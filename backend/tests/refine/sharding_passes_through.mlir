// args: tensor<2xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
