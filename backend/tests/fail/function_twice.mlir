// error: the symbol `@main` is defined twice
func.func @main() {
  return
}
func.func @main() {
  return
}
