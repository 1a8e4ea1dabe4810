//! Groups along a mesh stay what they are, from HLO to StableHLO and back.

use backend::frontend::hlo::export::export;
use backend::frontend::{Source, parse};
use sim_core::ir::Module;
use sim_core::ir::verify::verify_module;

fn module(header: &str, op: &str) -> Module {
    let text = format!(
        "HloModule m, {header}\n\nadd {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
         ROOT c = f32[] add(a, b)\n}}\n\nENTRY e {{\n  x = f32[8] parameter(0)\n  ROOT y = f32[8] {op}\n}}\n"
    );
    let module = parse(&Source::from_bytes("m.hlo", text.into_bytes())).unwrap().remove(0);
    verify_module(&module).unwrap_or_else(|e| panic!("{e}\n{module}"));
    module
}

const FLAT: &str = "channel_id=1, use_global_device_ids=true";

#[test]
fn meshes_survive() {
    for (op, in_stablehlo, in_hlo) in [
        (
            format!("all-reduce(x), replica_groups=mesh['x'=2,'y'=4] {{'y'}}, {FLAT}, to_apply=add"),
            "replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"y\">]>",
            "replica_groups=mesh['x'=2,'y'=4] {'y'}",
        ),
        (
            format!("all-reduce(x), replica_groups=mesh['x'=8] {{'x':(2)2}}, {FLAT}, to_apply=add"),
            "name = \"x\", sub_axis_info = (2)2>",
            "replica_groups=mesh['x'=8] {'x':(2)2}",
        ),
        (
            "all-to-all(x), replica_groups=mesh['x'=2,'y'=4] {'x'}, channel_id=1, dimensions={0}".to_owned(),
            "replica_group_mesh_axes<mesh = @mesh",
            "replica_groups=mesh['x'=2,'y'=4] {'x'}",
        ),
    ] {
        let read = module("num_partitions=8", &op);
        let text = read.to_string();
        assert!(text.contains("sdy.mesh @mesh = <[") && text.contains(in_stablehlo), "{text}");
        let again = parse(&Source::from_bytes("m.mlir", text.into_bytes())).unwrap().remove(0);
        let hlo = export(&again).unwrap().to_string();
        assert!(hlo.contains(in_hlo), "{hlo}");
        let second = parse(&Source::from_bytes("n.hlo", hlo.clone().into_bytes())).unwrap().remove(0);
        assert_eq!(second.meshes.len(), 1, "{hlo}");
        assert_eq!(export(&second).unwrap().to_string(), hlo);
    }
}

/// In StableHLO a mesh is of devices. Where HLO's ids are those of replicas or partitions among both, lists stay.
#[test]
fn meshes_that_are_not_of_devices_become_lists() {
    let groups = "replica_groups=mesh['x'=2,'y'=2] {'y'}";
    for (header, op, mesh) in [
        ("replica_count=4", format!("all-reduce(x), {groups}, to_apply=add"), true),
        ("replica_count=4, num_partitions=2", format!("all-reduce(x), {groups}, to_apply=add"), false),
        (
            "replica_count=2, num_partitions=4",
            format!("all-to-all(x), {groups}, channel_id=1, dimensions={{0}}"),
            false,
        ),
        ("num_partitions=4", format!("all-to-all(x), {groups}, channel_id=1, dimensions={{0}}"), true),
        (
            "replica_count=4, num_partitions=2",
            format!("all-reduce(x), {groups}, channel_id=1, to_apply=add"),
            false,
        ),
    ] {
        let read = module(header, &op);
        assert_eq!(read.to_string().contains("mesh_axes"), mesh, "{header}: {op}\n{read}");
        assert_eq!(read.meshes.len(), usize::from(mesh));
    }
}
