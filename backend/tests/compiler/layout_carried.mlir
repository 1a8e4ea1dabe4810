// compile: v7x offload
// Weights of all layers, of which products read a slice in each iteration, lie in tiles of sixteen rows while the loop runs: SparseCores copy what is
// large. What an inner loop reads lies so in the outer one, too. What somebody else reads, the norms, keeps its tiles.
func.func @main(%x: tensor<256x1024xbf16>, %w: tensor<32x1024x1024xbf16>, %v: tensor<1024x1024xbf16>, %n: tensor<32x1024xbf16>) -> tensor<256x1024xbf16> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:5 = stablehlo.while(%i = %c0, %h = %x, %ws = %w, %u = %v, %ns = %n) : tensor<i32>, tensor<256x1024xbf16>, tensor<32x1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<32x1024xbf16>
  cond {
    %m = stablehlo.constant dense<32> : tensor<i32>
    %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %s = stablehlo.dynamic_slice %ws, %i, %z, %z, sizes = [1, 1024, 1024] : (tensor<32x1024x1024xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x1024xbf16>
    %l = stablehlo.reshape %s : (tensor<1x1024x1024xbf16>) -> tensor<1024x1024xbf16>
    %a = stablehlo.dynamic_slice %ns, %i, %z, sizes = [1, 1024] : (tensor<32x1024xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x1024xbf16>
    %b = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x1024xbf16>) -> tensor<256x1024xbf16>
    %y = stablehlo.dot_general %h, %l, contracting_dims = [1] x [0] : (tensor<256x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<256x1024xbf16>
    %g = stablehlo.multiply %y, %b : tensor<256x1024xbf16>
    %q:3 = stablehlo.while(%k = %z, %e = %g, %o = %u) : tensor<i32>, tensor<256x1024xbf16>, tensor<1024x1024xbf16>
    cond {
      %m = stablehlo.constant dense<3> : tensor<i32>
      %c = stablehlo.compare LT, %k, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.dot_general %e, %o, contracting_dims = [1] x [0] : (tensor<256x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<256x1024xbf16>
      %d = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %d, %t, %o : tensor<i32>, tensor<256x1024xbf16>, tensor<1024x1024xbf16>
    }
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q#1, %ws, %u, %ns : tensor<i32>, tensor<256x1024xbf16>, tensor<32x1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<32x1024xbf16>
  }
  return %r#1 : tensor<256x1024xbf16>
}

// => %offloaded_computation (param_0.1: bf16[32,1024,1024]) -> bf16[32,1024,1024] {
// =>   %param_0.1 = bf16[32,1024,1024]{2,1,0:T(8,128)(2,1)} parameter(0)
// =>   ROOT %copy.5 = bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)} copy(%param_0.1)
// => }, execution_thread="sparsecore"
// => %fused_computation (param_0: bf16[32,1024,1024], param_1: s32[], param_2: s32[], param_3: bf16[1024], param_4: bf16[256,1024]) -> bf16[256,1024] {
// =>   %param_4 = bf16[256,1024]{1,0:T(8,128)(2,1)} parameter(4)
// =>   %param_0 = bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)} parameter(0)
// =>   %param_1 = s32[]{:T(128)} parameter(1)
// =>   %param_2 = s32[]{:T(128)} parameter(2)
// =>   %dynamic-slice = bf16[1,1024,1024]{2,1,0:T(16,128)(2,1)} dynamic-slice(%param_0, %param_1, %param_2, %param_2), dynamic_slice_sizes={1,1024,1024}
// =>   %reshape = bf16[1024,1024]{1,0:T(16,128)(2,1)} bitcast(%dynamic-slice)
// =>   %dot.4 = bf16[256,1024]{1,0:T(8,128)(2,1)} dot(%param_4, %reshape), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   %param_3 = bf16[1024]{0:T(1024)(128)(2,1)} parameter(3)
// =>   %broadcast = bf16[256,1024]{1,0:T(8,128)(2,1)} broadcast(%param_3), dimensions={1}
// =>   ROOT %multiply = bf16[256,1024]{1,0:T(8,128)(2,1)} multiply(%dot.4, %broadcast)
// => }
// => %region.1 (arg_tuple.1: (s32[], bf16[256,1024], bf16[1024,1024])) -> (s32[], bf16[256,1024], bf16[1024,1024]) {
// =>   %arg_tuple.1 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[1024,1024]{1,0:T(16,128)(2,1)}) parameter(0)
// =>   %get-tuple-element.1 = s32[]{:T(128)} get-tuple-element(%arg_tuple.1), index=0
// =>   %constant.1 = s32[]{:T(128)} constant(1)
// =>   %add.1 = s32[]{:T(128)} add(%get-tuple-element.1, %constant.1)
// =>   %get-tuple-element.2 = bf16[256,1024]{1,0:T(8,128)(2,1)} get-tuple-element(%arg_tuple.1), index=1
// =>   %copy.2 = bf16[256,1024]{1,0:T(8,128)(2,1)} copy(%get-tuple-element.2)
// =>   %get-tuple-element.3 = bf16[1024,1024]{1,0:T(16,128)(2,1)} get-tuple-element(%arg_tuple.1), index=2
// =>   %dot.1 = bf16[256,1024]{1,0:T(8,128)(2,1)} dot(%copy.2, %get-tuple-element.3), lhs_contracting_dims={1}, rhs_contracting_dims={0}
// =>   ROOT %tuple.1 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[1024,1024]{1,0:T(16,128)(2,1)}) tuple(%add.1, %dot.1, %get-tuple-element.3)
// => }
// => %region.2 (arg_tuple.2: (s32[], bf16[256,1024], bf16[1024,1024])) -> pred[] {
// =>   %arg_tuple.2 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[1024,1024]{1,0:T(16,128)(2,1)}) parameter(0)
// =>   %get-tuple-element.4 = s32[]{:T(128)} get-tuple-element(%arg_tuple.2), index=0
// =>   %constant.2 = s32[]{:T(128)} constant(3)
// =>   ROOT %compare.1 = pred[]{:T(512)} compare(%get-tuple-element.4, %constant.2), direction=LT
// => }
// => %region.3 (arg_tuple.3: (s32[], bf16[256,1024], bf16[32,1024,1024], bf16[1024,1024], bf16[32,1024])) -> (s32[], bf16[256,1024], bf16[32,1024,1024], bf16[1024,1024], bf16[32,1024]) {
// =>   %arg_tuple.3 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024]{1,0:T(8,128)(2,1)}) parameter(0)
// =>   %get-tuple-element.5 = s32[]{:T(128)} get-tuple-element(%arg_tuple.3), index=0
// =>   %constant.3 = s32[]{:T(128)} constant(1)
// =>   %add.2 = s32[]{:T(128)} add(%get-tuple-element.5, %constant.3)
// =>   %constant.4 = s32[]{:T(128)} constant(0)
// =>   %get-tuple-element.7 = bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)} get-tuple-element(%arg_tuple.3), index=2
// =>   %get-tuple-element.8 = bf16[32,1024]{1,0:T(8,128)(2,1)} get-tuple-element(%arg_tuple.3), index=4
// =>   %dynamic-slice.2 = bf16[1,1024]{1,0:T(2,128)(2,1)} dynamic-slice(%get-tuple-element.8, %get-tuple-element.5, %constant.4), dynamic_slice_sizes={1,1024}
// =>   %reshape.2 = bf16[1024]{0:T(1024)(128)(2,1)} reshape(%dynamic-slice.2)
// =>   %get-tuple-element.6 = bf16[256,1024]{1,0:T(8,128)(2,1)} get-tuple-element(%arg_tuple.3), index=1
// =>   %copy.3 = bf16[256,1024]{1,0:T(8,128)(2,1)} copy(%get-tuple-element.6)
// =>   %dot_multiply_fusion = bf16[256,1024]{1,0:T(8,128)(2,1)} fusion(%get-tuple-element.7, %get-tuple-element.5, %constant.4, %reshape.2, %copy.3), kind=kOutput, calls=%fused_computation
// =>   %get-tuple-element.9 = bf16[1024,1024]{1,0:T(8,128)(2,1)} get-tuple-element(%arg_tuple.3), index=3
// =>   %copy = bf16[1024,1024]{1,0:T(16,128)(2,1)} copy(%get-tuple-element.9)
// =>   %tuple.2 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[1024,1024]{1,0:T(16,128)(2,1)}) tuple(%constant.4, %dot_multiply_fusion, %copy)
// =>   %while.1 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[1024,1024]{1,0:T(16,128)(2,1)}) while(%tuple.2), condition=%region.2, body=%region.1
// =>   %get-tuple-element.10 = bf16[256,1024]{1,0:T(8,128)(2,1)} get-tuple-element(%while.1), index=1
// =>   ROOT %tuple.3 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024]{1,0:T(8,128)(2,1)}) tuple(%add.2, %get-tuple-element.10, %get-tuple-element.7, %get-tuple-element.9, %get-tuple-element.8)
// => }
// => %region.4 (arg_tuple.4: (s32[], bf16[256,1024], bf16[32,1024,1024], bf16[1024,1024], bf16[32,1024])) -> pred[] {
// =>   %arg_tuple.4 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024]{1,0:T(8,128)(2,1)}) parameter(0)
// =>   %get-tuple-element.11 = s32[]{:T(128)} get-tuple-element(%arg_tuple.4), index=0
// =>   %constant.5 = s32[]{:T(128)} constant(32)
// =>   ROOT %compare.2 = pred[]{:T(512)} compare(%get-tuple-element.11, %constant.5), direction=LT
// => }
// => ENTRY %main.5 (Arg_0.1: bf16[256,1024], Arg_1.1: bf16[32,1024,1024], Arg_2.1: bf16[1024,1024], Arg_3.1: bf16[32,1024]) -> bf16[256,1024] {
// =>   %constant.6 = s32[]{:T(128)} constant(0)
// =>   %Arg_0.1 = bf16[256,1024]{1,0:T(8,128)(2,1)} parameter(0)
// =>   %copy.4 = bf16[256,1024]{1,0:T(8,128)(2,1)} copy(%Arg_0.1)
// =>   %Arg_1.1 = bf16[32,1024,1024]{2,1,0:T(8,128)(2,1)} parameter(1)
// =>   %data_format_offload_async_start = ((bf16[32,1024,1024]{2,1,0:T(8,128)(2,1)}), bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)}, u32[]{:S(8)}) async-start(%Arg_1.1), async_execution_thread="sparsecore", calls=%offloaded_computation
// =>   %data_format_offload_async_done = bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)} async-done(%data_format_offload_async_start)
// =>   %Arg_2.1 = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(2)
// =>   %Arg_3.1 = bf16[32,1024]{1,0:T(8,128)(2,1)} parameter(3)
// =>   %tuple.4 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024]{1,0:T(8,128)(2,1)}) tuple(%constant.6, %copy.4, %data_format_offload_async_done, %Arg_2.1, %Arg_3.1)
// =>   %while.2 = (s32[]{:T(128)}, bf16[256,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024,1024]{2,1,0:T(16,128)(2,1)}, bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[32,1024]{1,0:T(8,128)(2,1)}) while(%tuple.4), condition=%region.4, body=%region.3
// =>   ROOT %get-tuple-element.12 = bf16[256,1024]{1,0:T(8,128)(2,1)} get-tuple-element(%while.2), index=1
// => }
