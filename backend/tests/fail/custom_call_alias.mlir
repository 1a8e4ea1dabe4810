// error: (output_operand_aliases) operand_index 1 is not within the 1 operands
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.custom_call"(%a) {call_target_name = "x", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
