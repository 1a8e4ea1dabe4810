use super::{ctx, executable, tensors, values};
use sim_core::Tensor;

fn ramp(shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    Tensor::from_slice(shape, &(0..n).map(|i| i as f32).collect::<Vec<f32>>())
}

/// Runs a program with global shapes, and again on the parts of its inputs; both give the same.
fn check(text: &str, inputs: Vec<Tensor>, expected: &[f32]) {
    let exe = executable("test", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let out = exe.run(&ctx(), inputs.clone()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let whole = tensors(out).remove(0);
    assert_eq!(whole.as_slice::<f32>(), expected);
    let placement = exe.placement();
    let cut = |d: usize| -> Vec<Tensor> {
        let part = |(t, s): (&Tensor, &Option<backend::sharding::Sharding>)| match s {
            Some(s) => s.cut(&ctx(), t, d).unwrap(),
            None => t.clone(),
        };
        inputs.iter().zip(&placement.arguments).map(part).collect()
    };
    let given = (0..placement.grid.len()).map(|d| values(cut(d))).collect();
    let run = exe.run_devices(&ctx(), given).unwrap();
    let parts: Vec<Tensor> = run.outputs.into_iter().map(|o| tensors(o).remove(0)).collect();
    let again = match &placement.results[0] {
        Some(s) => s.join(&ctx(), &parts.iter().collect::<Vec<_>>(), whole.shape()).unwrap(),
        None => parts[0].clone(),
    };
    assert_eq!(again, whole);
}

#[test]
fn without_manual_regions_it_runs_once() {
    check(
        r#"module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<3x4xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    %0 = stablehlo.negate %a : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}"#,
        vec![ramp(&[3, 4])],
        &(0..12).map(|i| -(i as f32)).collect::<Vec<_>>(),
    );
}

/// Rows minus the partition, then the sum over the mesh's second axis.
#[test]
fn manual_computation_of_shardy() {
    check(
        r#"module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x2xf32> {
    %0 = stablehlo.add %a, %a : tensor<4x4xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%b: tensor<2x2xf32>) {
      %2 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %6 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      sdy.return %2 : tensor<2x2xf32>
    } : (tensor<4x4xf32>) -> tensor<4x2xf32>
    return %1 : tensor<4x2xf32>
  }
}"#,
        vec![ramp(&[4, 4])],
        &[4., 8., 20., 24., 36., 40., 52., 56.],
    );
}

/// Only axis `x` is manual; what the free axis does is nobody's business here.
#[test]
fn manual_over_some_axes() {
    check(
        r#"module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4x2xf32>) -> tensor<2x2xf32> {
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y"}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"x"} (%b: tensor<2x2xf32>) {
      %2 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %6 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      sdy.return %2 : tensor<2x2xf32>
    } : (tensor<4x2xf32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}"#,
        vec![ramp(&[4, 2])],
        &[4., 6., 8., 10.],
    );
}

#[test]
fn borders_as_custom_calls() {
    for (enter, exit) in [
        ("SPMDFullToShardShape", "SPMDShardToFullShape"),
        ("xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"),
    ] {
        let text = format!(
            "HloModule m, num_partitions=4\n\nbody {{\n  x = f32[2] parameter(0)\n  p = u32[] partition-id()\n  \
             f = f32[] convert(p)\n  b = f32[2] broadcast(f), dimensions={{}}\n  ROOT y = f32[2] add(x, b)\n}}\n\n\
             ENTRY e {{\n  x = f32[8] parameter(0), sharding={{devices=[4]<=[4]}}\n  \
             s = f32[8] custom-call(x), custom_call_target=\"Sharding\", sharding={{devices=[4]3,2,1,0}}\n  \
             m = f32[2] custom-call(s), custom_call_target=\"{enter}\", sharding={{manual}}\n  \
             y = f32[2] call(m), to_apply=body\n  \
             z = f32[2] custom-call(y), custom_call_target=\"Sharding\", sharding={{manual}}\n  \
             ROOT w = f32[8] custom-call(z), custom_call_target=\"{exit}\", sharding={{devices=[4]3,2,1,0}}\n}}\n"
        );
        check(&text, vec![ramp(&[8])], &[3., 4., 4., 5., 5., 6., 6., 7.]);
    }
}

/// An outer region over one axis, an inner one over the other: the inner one's values differ along the outer axis.
#[test]
fn regions_inside_of_regions() {
    check(
        r#"module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x4xf32> {
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%b: tensor<2x4xf32>) {
      %2 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<2x2xf32>) {
        %3 = stablehlo.multiply %c, %c : tensor<2x2xf32>
        sdy.return %3 : tensor<2x2xf32>
      } : (tensor<2x4xf32>) -> tensor<2x4xf32>
      sdy.return %2 : tensor<2x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}"#,
        vec![ramp(&[4, 4])],
        &(0..16).map(|i| (i * i) as f32).collect::<Vec<_>>(),
    );
}

/// What a region gives unreduced is the sum over its devices.
#[test]
fn unreduced_results_are_summed() {
    check(
        r#"module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x2xf32> {
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}], unreduced={"y"}>] manual_axes={"x", "y"} (%b: tensor<2x2xf32>) {
      sdy.return %b : tensor<2x2xf32>
    } : (tensor<4x4xf32>) -> tensor<4x2xf32>
    return %1 : tensor<4x2xf32>
  }
}"#,
        vec![ramp(&[4, 4])],
        &[2., 4., 10., 12., 18., 20., 26., 28.],
    );
}
