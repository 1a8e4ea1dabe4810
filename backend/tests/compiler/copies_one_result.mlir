// compile: v6e copies
// The only result, no part of a tuple, is not written over the donated argument that its own kernel reads from other places: it is copied there.
func.func @main(%x: tensor<1024x1024xf32> {tf.aliasing_output = 0 : i32}) -> tensor<1024x1024xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// => ENTRY %main.1 (Arg_0.1: f32[1024,1024]) -> f32[1024,1024] {
// =>   %Arg_0.1 = f32[1024,1024]{1,0:T(8,128)} parameter(0)
// =>   %reverse.1 = f32[1024,1024]{1,0:T(8,128)} reverse(%Arg_0.1), dimensions={0}
// =>   ROOT %copy = f32[1024,1024]{1,0:T(8,128)} copy(%reverse.1)
// => }
