// error: is larger than the address space
func.func @main(%a: tensor<9223372036854775807x9223372036854775807x0xf32>) {
  return
}
