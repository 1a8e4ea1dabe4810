// args: tensor<5x2xf32>; tensor<1xi32>
func.func @main(%x: tensor<?x2xf32>, %i: tensor<1xi32>) -> tensor<?x2xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.divide %n, %two : tensor<i32>
  %h = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %w = stablehlo.constant dense<2> : tensor<1xi32>
  %s = stablehlo.concatenate %h, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?x2xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// => module {
//      func.func @main(%arg0: tensor<5x2xf32>, %arg1: tensor<1xi32>) -> tensor<2x2xf32> {
//        %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 0>, indices_are_sorted = true, slice_sizes = array<i64: 2, 2>}> : (tensor<5x2xf32>, tensor<1xi32>) -> tensor<2x2xf32>
//        func.return %0 : tensor<2x2xf32>
//      }
//    }
