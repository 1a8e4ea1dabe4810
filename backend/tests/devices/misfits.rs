//! What a program says of devices does not fit how many it is for.

use super::{executable, hlo};
use sim_core::{Diagnostic, ErrorKind};

fn refused(text: &str) -> Diagnostic {
    match executable("test", text) {
        Ok(_) => panic!("it is taken\n{text}"),
        Err(e) => e,
    }
}

/// Line and column, from 1.
fn place(text: &str, e: &Diagnostic) -> (usize, usize) {
    let before = &text[..e.span().unwrap_or_else(|| panic!("no place: {e}")).start as usize];
    (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1)
}

#[test]
fn pairs_name_devices_that_are_there() {
    let body = |attrs: &str| {
        format!("ENTRY e {{\n  x = s32[1] parameter(0)\n  ROOT y = s32[1] collective-permute(x), {attrs}\n}}")
    };
    for (replicas, partitions, attrs, says) in [
        (
            1,
            1,
            "source_target_pairs={{0,1}}",
            "names replica 1 in the pair {0,1}, and this run has 1 replica (one device)",
        ),
        (1, 1, "channel_id=1, source_target_pairs={{2,0}}", "names partition 2 in the pair {2,0}"),
        (
            1,
            2,
            "channel_id=1, source_target_pairs={{0,1},{1,2}}",
            "names partition 2 in the pair {1,2}, and this run has 2 partitions",
        ),
        (1, 2, "source_target_pairs={{0,0},{1,1}}", "this run has 1 replica (2 devices"),
        (3, 1, "source_target_pairs={{0,3}}", "and this run has 3 replicas"),
    ] {
        let text = hlo(replicas, partitions, &body(attrs));
        let e = refused(&text);
        assert!(e.to_string().contains(says), "{e}");
        assert_eq!((e.op(), place(&text, &e).0), (Some("stablehlo.collective_permute"), 11), "{e}");
        assert!(e.help_text().is_some_and(|h| h.contains("num_partitions")), "{e}");
    }
    // A device may send to itself.
    for attrs in
        ["source_target_pairs={{0,0}}", "channel_id=1, source_target_pairs={{0,0}}", "source_target_pairs={}"]
    {
        executable("test", &hlo(1, 1, &body(attrs))).unwrap();
    }
}

#[test]
fn groups_name_devices_that_are_there() {
    let body = |op: &str| format!("ENTRY e {{\n  x = s32[2] parameter(0)\n  ROOT y = {op}\n}}");
    for (op, says) in [
        ("s32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=add", "names replica 1"),
        (
            "s32[2] all-reduce(x), replica_groups={{0,1},{2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add",
            "names device 2",
        ),
        (
            "s32[2] all-to-all(x), replica_groups={{0,1},{2,3}}, channel_id=1, dimensions={0}",
            "names partition 2",
        ),
        ("s32[2] collective-broadcast(x), replica_groups={{0,5}}, channel_id=1", "names partition 5"),
        (
            "s32[2] all-reduce(x), replica_groups=mesh['x'=4] {'x'}, channel_id=1, use_global_device_ids=true, to_apply=add",
            "names device 2",
        ),
    ] {
        let text = hlo(1, 2, &body(op));
        let e = refused(&text);
        assert!(e.message().contains(says) && e.message().contains("2 devices"), "{e}");
        assert_eq!(place(&text, &e).0, 11, "{e}");
    }
}

#[test]
fn stablehlo_is_held_to_the_same() {
    let text = "\
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = \"stablehlo.collective_permute\"(%x) <{
      source_target_pairs = dense<[[0, 1], [1, 4]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
    }> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
";
    let e = refused(text);
    assert!(
        e.message().contains("names partition 4 in the pair {1,4}, and this run has 2 partitions"),
        "{e}"
    );
    assert_eq!(place(text, &e).0, 3, "{e}");
}

fn entry(partitions: usize, sharding: &str) -> String {
    hlo(
        1,
        partitions,
        &format!(
            "ENTRY e {{\n  x = s32[4,4] parameter(0), sharding={sharding}\n  ROOT y = s32[4,4] negate(x)\n}}"
        ),
    )
}

#[test]
fn shardings_of_the_entry_fit() {
    for sharding in ["{devices=[2,1]<=[2]}", "{replicated}", "{manual}", "{maximal device=1}"] {
        let exe = executable("test", &entry(2, sharding)).unwrap();
        assert!(exe.placement().arguments[0].is_some() && exe.placement().warnings.is_empty(), "{sharding}");
    }
    for (sharding, says) in [
        ("{devices=[2]<=[2]}", "is of 1 dimensions, and the array has 2"),
        ("{devices=[4,1]<=[4]}", "is over 4 devices, and the program is for 2"),
        ("{devices=[2,2]<=[2]}", "do not fit its devices"),
        ("{maximal device=2}", "names device 2"),
        ("{{replicated}, {replicated}}", "is of 2 arrays, and its shape has 1"),
        ("{mesh['x'=2], [{'z'}, {}]}", "names axis \"z\""),
    ] {
        let text = entry(2, sharding);
        let e = refused(&text);
        assert_eq!(e.kind(), ErrorKind::Invalid, "{sharding}: {e}");
        assert!(e.message().contains(says), "{sharding}: {e}");
        assert_eq!(place(&text, &e), (10, 3), "{sharding}: {e}");
        // On one device it matters to nobody, but is said.
        let exe = executable("test", &entry(1, sharding)).unwrap();
        let warnings = &exe.placement().warnings;
        assert_eq!(warnings.len(), 1, "{sharding}: {warnings:?}");
        assert!(warnings[0].notes().iter().any(|n| n.contains("argument 0 of @e")), "{}", warnings[0]);
        assert!(exe.placement().arguments[0].is_none());
    }
}

#[test]
fn shardings_of_stablehlo_fit() {
    let text = |partitions: usize, sharding: &str| {
        format!(
            "module attributes {{mhlo.num_partitions = {partitions} : i32}} {{\n  \
             func.func @main(%x: tensor<2xf32> {{mhlo.sharding = \"{sharding}\"}}) -> tensor<2xf32> {{\n    \
             return %x : tensor<2xf32>\n  }}\n}}\n"
        )
    };
    executable("test", &text(2, "{devices=[2]<=[2]}")).unwrap();
    for sharding in ["{devices=[2,1]<=[2]}", "{devices=[2}", "{devices=[3]<=[3]}"] {
        let text2 = text(2, sharding);
        let e = refused(&text2);
        assert_eq!(place(&text2, &e).0, 2, "{e}");
        assert!(e.notes().iter().any(|n| n.contains("argument 0 of @main") && n.contains(sharding)), "{e}");
        assert_eq!(executable("test", &text(1, sharding)).unwrap().placement().warnings.len(), 1);
    }
}
