// error: (C3) compare_type Float does not fit elements of type i32
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi1> {
  %r = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
