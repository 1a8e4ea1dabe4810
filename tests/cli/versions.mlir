// Each operation came with another version of StableHLO.
func.func @main(%arg0: tensor<4xf32> loc("x"), %arg1: tensor<f8E4M3>) -> tensor<4xf32> {
  %0 = stablehlo.tan %arg0 : tensor<4xf32> loc("model.py":12:4)
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32> loc("model.py":13:4)
  return %1 : tensor<4xf32>
}
