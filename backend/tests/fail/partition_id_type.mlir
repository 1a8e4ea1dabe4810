// error: (O1) the operands make result 0 a tensor<ui32>
func.func @main() -> tensor<i32> {
  %r = "stablehlo.partition_id"() : () -> tensor<i32>
  return %r : tensor<i32>
}
