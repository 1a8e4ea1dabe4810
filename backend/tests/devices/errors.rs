use super::{ctx, executable, hlo, run, values};
use sim_core::{Diagnostic, ErrorKind, Tensor};

fn fails(text: &str, devices: usize) -> Diagnostic {
    let inputs = (0..devices).map(|d| vec![Tensor::from_slice(&[1], &[d as i32])]).collect();
    match run(text, inputs) {
        Ok(_) => panic!("it ran\n{text}"),
        Err(e) => e,
    }
}

#[test]
fn inputs_that_do_not_fit() {
    let text = hlo(
        1,
        2,
        "ENTRY e {\n  x = s32[1] parameter(0)\n  p = u32[] partition-id()\n  ROOT y = s32[1] negate(x)\n}",
    );
    let e = fails(&text, 3);
    assert!(e.message().contains("is for 2 devices (2 partitions), and inputs of 3 were given"), "{e}");
    let wrong = vec![vec![Tensor::from_slice(&[1], &[0])], vec![Tensor::from_slice(&[2], &[0, 1])]];
    let e = run(&text, wrong).unwrap_err();
    assert!(e.message().contains("tensor<1xi32>"), "{e}");
    assert!(e.notes().iter().any(|n| n.contains("device 1")), "{e}");
    let exe = executable("test", &text).unwrap();
    let e = exe.run_values(&ctx(), values(vec![Tensor::from_slice(&[1], &[0])])).unwrap_err();
    assert!(e.message().contains("inputs of each"), "{e}");
}

#[test]
fn groups_of_devices_that_are_not_there() {
    let e = fails(
        &hlo(
            1,
            2,
            "ENTRY e {\n  x = s32[1] parameter(0)\n  \
        ROOT y = s32[1] all-reduce(x), replica_groups={{0,1},{2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add\n}",
        ),
        2,
    );
    assert!(e.message().contains("names device 2"), "{e}");
    let e = fails(
        &hlo(
            1,
            2,
            "ENTRY e {\n  x = s32[1] parameter(0)\n  \
        ROOT y = s32[1] collective-permute(x), channel_id=1, source_target_pairs={{7,1}}\n}",
        ),
        2,
    );
    assert!(e.message().contains("names partition 7 in the pair {7,1}"), "{e}");
}

/// Partition 0 stays away.
#[test]
fn a_device_that_never_comes() {
    let e = fails(&hlo(1, 4, "\
come {
  x = s32[1] parameter(0)
  ROOT y = s32[1] all-reduce(x), replica_groups={{0,1,2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add
}

stay {
  x = s32[1] parameter(0)
  ROOT y = s32[1] negate(x)
}

ENTRY e {
  x = s32[1] parameter(0)
  p = u32[] partition-id()
  zero = u32[] constant(0)
  c = pred[] compare(p, zero), direction=EQ
  ROOT r = s32[1] conditional(c, x, x), true_computation=stay, false_computation=come
}"), 4);
    assert!(e.message().contains("deadlock: 3 devices wait, and 1 ended without them"), "{e}");
    assert!(e.notes().iter().any(|n| n.contains("all_reduce") && n.contains("and 2 others")), "{e}");
}

/// Partition p runs p + 1 times.
#[test]
fn loops_of_different_lengths() {
    let e = fails(&hlo(1, 2, "\
body {
  s = (u32[], s32[1]) parameter(0)
  i = u32[] get-tuple-element(s), index=0
  x = s32[1] get-tuple-element(s), index=1
  one = u32[] constant(1)
  n = u32[] subtract(i, one)
  y = s32[1] all-reduce(x), replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add
  ROOT t = (u32[], s32[1]) tuple(n, y)
}

condition {
  s = (u32[], s32[1]) parameter(0)
  i = u32[] get-tuple-element(s), index=0
  zero = u32[] constant(0)
  ROOT c = pred[] compare(i, zero), direction=GT
}

ENTRY e {
  x = s32[1] parameter(0)
  p = u32[] partition-id()
  one = u32[] constant(1)
  n = u32[] add(p, one)
  t = (u32[], s32[1]) tuple(n, x)
  w = (u32[], s32[1]) while(t), condition=condition, body=body
  y = s32[1] get-tuple-element(w), index=1
  ROOT z = s32[1] all-reduce(y), replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add
}"), 2);
    assert!(e.message().contains("deadlock: all 2 devices wait"), "{e}");
}

/// One fails at an operation that only it runs; the others wait for it in a collective.
#[test]
fn the_first_error_is_reported_not_its_consequence() {
    let text = hlo(1, 4, "\
bad {
  x = s32[1] parameter(0)
  ROOT y = s32[1] custom-call(x), custom_call_target=\"nobody_knows_this\"
}

good {
  x = s32[1] parameter(0)
  ROOT y = s32[1] negate(x)
}

ENTRY e {
  x = s32[1] parameter(0)
  p = u32[] partition-id()
  two = u32[] constant(2)
  c = pred[] compare(p, two), direction=EQ
  r = s32[1] conditional(c, x, x), true_computation=bad, false_computation=good
  ROOT z = s32[1] all-reduce(r), replica_groups={{0,1,2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add
}");
    for _ in 0..50 {
        let e = fails(&text, 4);
        assert!(e.message().contains("nobody_knows_this"), "{e}");
        assert!(e.notes().iter().any(|n| n == "on device 2 (replica 0, partition 2)"), "{e}");
    }
}

#[test]
fn a_wish_to_stop_ends_all() {
    let text = hlo(1, 4, "\
body {
  x = s32[1] parameter(0)
  ROOT y = s32[1] all-reduce(x), replica_groups={{0,1,2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add
}

condition {
  x = s32[1] parameter(0)
  ROOT c = pred[] constant(true)
}

ENTRY e {
  x = s32[1] parameter(0)
  ROOT w = s32[1] while(x), condition=condition, body=body
}");
    let exe = executable("test", &text).unwrap();
    let ctx = ctx();
    let inputs = (0..4).map(|d| values(vec![Tensor::from_slice(&[1], &[d])])).collect();
    let e = std::thread::scope(|s| {
        let run = s.spawn(|| exe.run_devices(&ctx, inputs).unwrap_err());
        std::thread::sleep(std::time::Duration::from_millis(50));
        ctx.stop();
        run.join().unwrap()
    });
    assert_eq!(e.kind(), ErrorKind::Interrupted, "{e}");
}

#[test]
fn too_many_devices() {
    let text = hlo(
        64,
        64,
        "ENTRY e {\n  x = s32[1] parameter(0)\n  r = u32[] replica-id()\n  ROOT y = s32[1] negate(x)\n}",
    );
    let e = fails(&text, 4096);
    assert!(e.message().contains("at most 1024"), "{e}");
}

/// Said before anything is made for each of them.
#[test]
fn devices_beyond_all_memory() {
    for (replicas, partitions) in [(1, i64::MAX), (1_i64 << 31, 1), (1 << 31, 1 << 31)] {
        let text = format!(
            "HloModule m, replica_count={replicas}, num_partitions={partitions}\n\n\
             ENTRY e {{\n  x = s32[1] parameter(0)\n  ROOT y = s32[1] negate(x)\n}}\n"
        );
        let e = executable("test", &text).unwrap().devices_to_run().unwrap_err();
        assert!(e.message().contains("at most 1024"), "{e}");
    }
}

#[test]
fn results_of_another_size_than_the_group_gives() {
    let gather = |groups: &str, channel: &str| {
        format!(
            "ENTRY e {{\n  x = s32[1] parameter(0)\n  \
             ROOT y = s32[5] all-gather(x), replica_groups={groups}, dimensions={{0}}{channel}\n}}"
        )
    };
    for text in [
        hlo(1, 2, &gather("{{0,1}}", ", channel_id=1, use_global_device_ids=true")),
        hlo(2, 1, &gather("{}", "")),
    ] {
        let e = fails(&text, 2);
        assert!(e.message().contains("gives tensor<2xi32>") && e.span().is_some(), "{e}");
    }
}

#[test]
fn groups_that_cannot_be() {
    for groups in ["{{0,-1}}", "mesh['a'=2,'b'=1] {'c'}", "mesh['a'=2] {'a','a'}"] {
        let body = format!(
            "ENTRY e {{\n  x = s32[1] parameter(0)\n  ROOT y = s32[1] all-reduce(x), replica_groups={groups}, \
             channel_id=1, use_global_device_ids=true, to_apply=add\n}}"
        );
        let e = fails(&hlo(1, 2, &body), 2);
        assert!(e.message().contains("its replica groups") && e.span().is_some(), "{groups}: {e}");
    }
}

#[test]
fn a_collective_on_one_device_says_what_to_do() {
    let e = fails(
        &hlo(
            1,
            1,
            "ENTRY e {\n  x = s32[1] parameter(0)\n  \
        ROOT y = s32[1] all-reduce(x), replica_groups={{0,1}}, to_apply=add\n}",
        ),
        1,
    );
    assert!(
        e.message().contains("names replica 1") && e.help_text().is_some_and(|h| h.contains("replica_count")),
        "{e}"
    );
}
