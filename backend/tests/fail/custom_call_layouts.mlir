// error: (layouts) operand_layouts and result_layouts must both be given, or neither
func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.custom_call"(%a) {call_target_name = "x", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
