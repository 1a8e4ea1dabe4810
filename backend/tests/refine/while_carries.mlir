// args: tensor<3xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %bound = %n, %v = %x) : tensor<i32>, tensor<i32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %bound, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.reshape %bound : (tensor<i32>) -> tensor<1xi32>
    %f = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %w = stablehlo.add %v, %f : tensor<?xf32>
    stablehlo.return %j, %bound, %w : tensor<i32>, tensor<i32>, tensor<?xf32>
  }
  return %r#2 : tensor<?xf32>
}
