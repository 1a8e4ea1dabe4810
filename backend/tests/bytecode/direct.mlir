#loc5 = loc("arg0")
#loc6 = loc(unknown)
#loc7 = loc("-":6:181)
#loc8 = loc("-":6:203)
#loc9 = loc("-":6:245)
#loc10 = loc("-":6:286)
#loc11 = loc("-":6:331)
#loc12 = loc("-":6:400)
#loc23 = loc("x")
#loc27 = loc("-":22:147)
#map = affine_map<(d0, d1) -> (d1, d0)>
module @all attributes {a.array = [1, -2 : i8, true, unit, @f::@g, "s", 0x7FC00000 : f32, 1.500000e+00, -3, 200 : ui8], a.c = dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>, a.dict = {x = array<i64: 1, -2>, y = array<i1: true, false>, z = array<f32: 1.500000e+00>}, a.fn = (i32, index) -> none, a.i1 = dense<[true, false, true]> : tensor<3xi1>, a.i4 = dense<[1, -2]> : tensor<2xi4>, a.map = #map, a.small = f4E2M1FN, a.splat = dense<true> : tensor<4xi1>, a.tf = tf32, a.type = tensor<2x?xf32>} {
  sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]> loc(#loc1)
  sdy.mesh @empty = <[]> loc(#loc2)
  func.func private @declared(tensor<2xi32>) -> tensor<2xi32> loc(#loc3)
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"y":(2)2}>} loc("arg0"), %arg1: tensor<i1> loc(unknown), %arg2: !stablehlo.token loc("-":6:181), %arg3: tuple<tensor<f32>, !stablehlo.token> loc("-":6:203), %arg4: tensor<?xf32, #stablehlo.bounds<8>> loc("-":6:245), %arg5: tensor<4x!quant.uniform<i8:f32, 0.5:3>> loc("-":6:286), %arg6: tensor<3x!quant.uniform<u8<1:200>:f32:0, {0.1:1, 2.0, 3.5:4}>> loc("-":6:331), %arg7: memref<2x3xf32> loc("-":6:400)) -> (tensor<8x4xf32> {jax.r}, tensor<8x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc13)
    %c = stablehlo.constant dense_resource<blob> : tensor<2xi32> loc(#loc14)
    %0 = stablehlo.exponential %arg0 : tensor<8x4xf32> loc(#loc40)
    %1 = "stablehlo.if"(%arg1) ({
      %11 = stablehlo.abs %0 : tensor<8x4xf32> loc(#loc18)
      stablehlo.return %11 : tensor<8x4xf32> loc(#loc19)
    }, {
      stablehlo.return %0 : tensor<8x4xf32> loc(#loc20)
    }) {k = "v"} : (tensor<i1>) -> tensor<8x4xf32> loc(#loc17)
    %2 = stablehlo.dot_general %1, %1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8xf32> loc(#loc21)
    %3 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg8: tensor<f32> loc("x"), %arg9: tensor<f32> loc(unknown)):
      %11 = stablehlo.add %arg8, %arg9 : tensor<f32> loc(#loc24)
      stablehlo.return %11 : tensor<f32> loc(#loc25)
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc22)
    %4 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {?}], unreduced={"y"}>] manual_axes={"x"} (%arg8: tensor<4x4xf32> loc("-":22:147)) {
      sdy.return %arg8 : tensor<4x4xf32> loc(#loc28)
    } : (tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc26)
    %5 = sdy.sharding_constraint %4 <mesh<["y"=4]>, [{}, {"y"}]> : tensor<8x4xf32> loc(#loc29)
    %6 = stablehlo.custom_call @t(%4) {api_version = 4 : i32, backend_config = {a = 1 : i32}, has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} need_replication={j} blocked_propagation={i}, custom>} : (tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc30)
    %values, %indices = chlo.top_k(%6, k = 1) : tensor<8x4xf32> -> (tensor<8x1xf32>, tensor<8x1xi32>) loc(#loc31)
    %7 = chlo.broadcast_compare %6, %cst {comparison_direction = #chlo<comparison_direction LT>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xi1> loc(#loc32)
    %8 = "stablehlo.gather"(%6, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 8, 1>}> : (tensor<8x4xf32>, tensor<2xi32>) -> tensor<8x2xf32> loc(#loc33)
    %9 = stablehlo.tanh %6 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<8x4xf32> loc(#loc34)
    %10 = call @declared(%c) : (tensor<2xi32>) -> tensor<2xi32> loc(#loc35)
    "check.expect_eq_const"(%10) {value = dense<[1, 2]> : tensor<2xi32>} : (tensor<2xi32>) -> () loc(#loc36)
    return %6, %values : tensor<8x4xf32>, tensor<8x1xf32> loc(#loc37)
  } loc(#loc4)
} loc(#loc)
#loc = loc("module")
#loc1 = loc("-":3:3)
#loc2 = loc("-":4:3)
#loc3 = loc("-":5:3)
#loc4 = loc("a.py":1:1)
#loc13 = loc("a.py":10:4)
#loc14 = loc("a.py":10:4 to 12:8)
#loc15 = loc("a.py":1:2)
#loc16 = loc("b.py":3:4)
#loc17 = loc("a.py":5:3 to :8)
#loc18 = loc("-":11:12)
#loc19 = loc("ret")
#loc20 = loc("-":14:7)
#loc21 = loc("-":16:10)
#loc22 = loc("-":17:10)
#loc24 = loc("-":19:12)
#loc25 = loc("-":20:7)
#loc26 = loc("-":22:10)
#loc28 = loc("-":23:7)
#loc29 = loc("-":25:11)
#loc30 = loc("-":26:11)
#loc31 = loc("-":27:12)
#loc32 = loc("-":28:12)
#loc33 = loc("-":29:10)
#loc34 = loc("-":30:12)
#loc35 = loc("-":31:13)
#loc36 = loc("-":32:5)
#loc37 = loc("end")
#loc38 = loc("f"(#loc15))
#loc39 = loc(fused<"meta">[#loc16])
#loc40 = loc(callsite(#loc38 at #loc39))

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}

