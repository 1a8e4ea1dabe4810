// error: (C1) iota_dimension has 1, which is not a dimension of output (rank 1)
func.func @main() -> tensor<3xi32> {
  %r = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3xi32>
  return %r : tensor<3xi32>
}
