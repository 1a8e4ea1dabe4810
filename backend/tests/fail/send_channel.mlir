// error: (C5) with is_host_transfer = true, channel_type must be 2, got 1
func.func @main(%a: tensor<f32>, %b: !stablehlo.token) -> !stablehlo.token {
  %r = "stablehlo.send"(%a, %b) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return %r : !stablehlo.token
}
