// As jax.export writes it: y has as many elements as x, whose rows are of three.
func.func @main(%x: tensor<?x3xf32> loc("x"), %y: tensor<?xf32> loc("y")) -> tensor<?xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %want = stablehlo.multiply %b, %three : tensor<i32>
  %ok = stablehlo.compare EQ, %n, %want, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n, %want) {error_message = "Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification '3*b' (= {1}).", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> () loc("model.py":12:0)
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %s : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %z = stablehlo.add %flat, %y : tensor<?xf32>
  %r = stablehlo.add %z, %i : tensor<?xf32>
  return %r : tensor<?xf32>
}
