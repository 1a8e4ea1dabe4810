// compile: v6e host
// An argument and a result in the host's memory: a copy each. What is asked for where it is already is nothing.
func.func @main(%x: tensor<256x256xf32> {mhlo.memory_kind = "pinned_host"}, %y: tensor<256x256xf32> {mhlo.memory_kind = "device"}) -> (tensor<256x256xf32> {mhlo.memory_kind = "pinned_host"}, tensor<256x256xf32> {mhlo.memory_kind = "device"}) {
  %0 = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.custom_call @annotate_device_placement(%y) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<256x256xf32>
  %3 = stablehlo.custom_call @annotate_device_placement(%2) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  return %3, %1 : tensor<256x256xf32>, tensor<256x256xf32>
}

// => ENTRY %main.1 (Arg_0.1: f32[256,256], Arg_1.1: f32[256,256]) -> (f32[256,256], f32[256,256]) {
// =>   %Arg_0.1 = f32[256,256]{1,0:T(8,128)S(5)} parameter(0)
// =>   %copy-start = (f32[256,256]{1,0:T(8,128)}, f32[256,256]{1,0:T(8,128)S(5)}, u32[]{:S(2)}) copy-start(%Arg_0.1)
// =>   %copy-done = f32[256,256]{1,0:T(8,128)} copy-done(%copy-start)
// =>   %Arg_1.1 = f32[256,256]{1,0:T(8,128)} parameter(1)
// =>   %add.1 = f32[256,256]{1,0:T(8,128)} add(%copy-done, %Arg_1.1)
// =>   %copy-start.1 = (f32[256,256]{1,0:T(8,128)S(5)}, f32[256,256]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(%add.1)
// =>   %copy-done.1 = f32[256,256]{1,0:T(8,128)S(5)} copy-done(%copy-start.1)
// =>   ROOT %tuple.1 = (f32[256,256]{1,0:T(8,128)S(5)}, f32[256,256]{1,0:T(8,128)}) tuple(%copy-done.1, %Arg_1.1)
// => }
