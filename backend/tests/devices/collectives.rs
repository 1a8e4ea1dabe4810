use super::{hlo, run, run_ints, tensors};
use sim_core::Tensor;

/// Device `d` brings `d * 100 + i`, `n` numbers.
fn inputs(devices: usize, n: usize) -> Vec<Vec<i32>> {
    (0..devices).map(|d| (0..n).map(|i| (d * 100 + i) as i32).collect()).collect()
}

/// Groups as XLA writes them, and what they are.
fn groupings(devices: usize) -> Vec<(String, Vec<Vec<usize>>)> {
    let half = devices / 2;
    let all: Vec<usize> = (0..devices).collect();
    let list = |groups: &[Vec<usize>]| {
        let groups: Vec<String> = groups
            .iter()
            .map(|g| format!("{{{}}}", g.iter().map(usize::to_string).collect::<Vec<_>>().join(",")))
            .collect();
        format!("{{{}}}", groups.join(","))
    };
    let halves = vec![all[..half].to_vec(), all[half..].to_vec()];
    let strided: Vec<Vec<usize>> = (0..half).map(|i| vec![i, i + half]).collect();
    let mut backwards = vec![all.clone()];
    backwards[0].reverse();
    vec![
        (list(std::slice::from_ref(&all)), vec![all.clone()]),
        (list(&halves), halves.clone()),
        (list(&strided), strided.clone()),
        (list(&backwards), backwards),
        (format!("[2,{half}]<=[{devices}]"), halves.clone()),
        (format!("[{half},2]<=[2,{half}]T(1,0)"), strided.clone()),
        (format!("mesh['x'=2,'y'={half}] {{'y'}}"), halves),
        (format!("mesh['x'=2,'y'={half}] {{'x'}}"), strided),
    ]
}

/// `group, index` of a device.
fn place(groups: &[Vec<usize>], d: usize) -> (&[usize], usize) {
    let group = groups.iter().find(|g| g.contains(&d)).unwrap();
    (group, group.iter().position(|&x| x == d).unwrap())
}

#[test]
fn every_collective_in_every_grouping() {
    for devices in [2usize, 4, 8] {
        for (text, groups) in groupings(devices) {
            let n = groups[0].len();
            let (size, x) = (n * 2, inputs(devices, n * 2));
            let check = |body: &str, expected: &dyn Fn(&[usize], usize) -> Vec<i32>| {
                let text =
                    hlo(1, devices, &format!("ENTRY e {{\n  x = s32[{size}] parameter(0)\n  {body}\n}}"));
                let got = run_ints(&text, &x, &[size]);
                for (d, got) in got.iter().enumerate() {
                    let (group, index) = place(&groups, d);
                    assert_eq!(*got, expected(group, index), "device {d} of\n{text}");
                }
            };
            let flat = format!("replica_groups={text}, channel_id=1, use_global_device_ids=true");
            let sum = |group: &[usize], i: usize| group.iter().map(|&d| x[d][i]).sum::<i32>();
            check(&format!("ROOT r = s32[{size}] all-reduce(x), {flat}, to_apply=add"), &|g, _| {
                (0..size).map(|i| sum(g, i)).collect()
            });
            check(
                &format!("ROOT r = s32[2] reduce-scatter(x), {flat}, dimensions={{0}}, to_apply=add"),
                &|g, me| (0..2).map(|i| sum(g, me * 2 + i)).collect(),
            );
            check(&format!("ROOT r = s32[{}] all-gather(x), {flat}, dimensions={{0}}", size * n), &|g, _| {
                g.iter().flat_map(|&d| x[d].clone()).collect()
            });
            let simple = format!("replica_groups={text}, channel_id=1");
            check(&format!("ROOT r = s32[{size}] all-to-all(x), {simple}, dimensions={{0}}"), &|g, me| {
                g.iter().flat_map(|&d| x[d][me * 2..me * 2 + 2].to_vec()).collect()
            });
            check(&format!("ROOT r = s32[{size}] collective-broadcast(x), {simple}"), &|g, _| {
                x[g[0]].clone()
            });
        }
    }
}

#[test]
fn permutes_and_ids() {
    for devices in [2usize, 4, 8] {
        let x = inputs(devices, 3);
        let pairs: Vec<String> = (0..devices - 1).map(|d| format!("{{{d},{}}}", d + 1)).collect();
        let shift = format!("source_target_pairs={{{}}}", pairs.join(","));
        for (channel, grid) in [(", channel_id=1", (1, devices)), ("", (devices, 1))] {
            let text = hlo(
                grid.0,
                grid.1,
                &format!(
                    "ENTRY e {{\n  x = s32[3] parameter(0)\n  ROOT r = s32[3] collective-permute(x){channel}, {shift}\n}}"
                ),
            );
            let got = run_ints(&text, &x, &[3]);
            assert_eq!(got[0], [0, 0, 0]);
            assert_eq!(got[1..], x[..devices - 1]);
        }
        let text = hlo(
            2,
            devices / 2,
            "ENTRY e {\n  x = s32[1] parameter(0)\n  r = u32[] replica-id()\n  \
            p = u32[] partition-id()\n  ten = u32[] constant(10)\n  t = u32[] multiply(r, ten)\n  s = u32[] add(t, p)\n  \
            c = s32[] convert(s)\n  ROOT o = s32[1] reshape(c)\n}",
        );
        let got = run_ints(&text, &inputs(devices, 1), &[1]).concat();
        let expected: Vec<i32> =
            (0..devices).map(|d| (d / (devices / 2) * 10 + d % (devices / 2)) as i32).collect();
        assert_eq!(got, expected);
    }
}

/// How ids in groups are read depends on channel and `use_global_device_ids`.
#[test]
fn replicas_and_partitions() {
    let x = inputs(4, 1); // (replica, partition): 0 = (0,0), 1 = (0,1), 2 = (1,0), 3 = (1,1)
    let gather = |attrs: &str, n: usize| {
        let text = hlo(
            2,
            2,
            &format!(
                "ENTRY e {{\n  x = s32[1] parameter(0)\n  ROOT r = s32[{n}] all-gather(x), dimensions={{0}}, {attrs}\n}}"
            ),
        );
        run_ints(&text, &x, &[1])
    };
    let across = gather("replica_groups={{0,1}}", 2);
    assert_eq!(across, [[0, 200], [100, 300], [0, 200], [100, 300]]);
    assert_eq!(gather("replica_groups={}", 2), across);
    // XLA's order: replicas outside, partitions inside.
    let both = gather("replica_groups={{1,0}}, channel_id=1", 4);
    assert_eq!(both, vec![vec![200, 300, 0, 100]; 4]);
    let flat = gather("replica_groups={{0,3},{1,2}}, channel_id=1, use_global_device_ids=true", 2);
    assert_eq!(flat, [[0, 300], [100, 200], [100, 200], [0, 300]]);
    let text = hlo(
        2,
        2,
        "ENTRY e {\n  x = s32[1] parameter(0)\n  \
        ROOT r = s32[1] collective-broadcast(x), replica_groups={{1,0}}, channel_id=1\n}",
    );
    assert_eq!(run_ints(&text, &x, &[1]).concat(), [100, 100, 300, 300]);
}

#[test]
fn asynchronous_pairs() {
    let x = inputs(4, 4);
    let sums: Vec<i32> = (0..4).map(|i| x.iter().map(|d| d[i]).sum()).collect();
    let attrs = "replica_groups={{0,1,2,3}}, channel_id=1, use_global_device_ids=true";
    let text = hlo(
        1,
        4,
        &format!(
            "ENTRY e {{\n  x = s32[4] parameter(0)\n  s = s32[4] all-reduce-start(x), {attrs}, to_apply=add\n  \
         ROOT r = s32[4] all-reduce-done(s)\n}}"
        ),
    );
    assert_eq!(run_ints(&text, &x, &[4]), vec![sums.clone(); 4]);
    let text = hlo(
        1,
        4,
        &format!(
            "ENTRY e {{\n  x = s32[4] parameter(0)\n  s = (s32[4], s32[16]) all-gather-start(x), {attrs}, dimensions={{0}}\n  \
         ROOT r = s32[16] all-gather-done(s)\n}}"
        ),
    );
    assert_eq!(run_ints(&text, &x, &[4]), vec![x.concat(); 4]);
    let text = hlo(
        1,
        4,
        "ENTRY e {\n  x = s32[4] parameter(0)\n  \
         s = (s32[4], s32[4], u32[], u32[]) collective-permute-start(x), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n  \
         ROOT r = s32[4] collective-permute-done(s)\n}",
    );
    assert_eq!(run_ints(&text, &x, &[4]), [&x[3..], &x[..3]].concat());
    let text = hlo(
        1,
        4,
        &format!(
            "ENTRY e {{\n  x = s32[4] parameter(0)\n  s = ((s32[4]), s32[1]) reduce-scatter-start(x), {attrs}, dimensions={{0}}, to_apply=add\n  \
         ROOT r = s32[1] reduce-scatter-done(s)\n}}"
        ),
    );
    assert_eq!(run_ints(&text, &x, &[4]).concat(), sums);
}

#[test]
fn in_loops_and_branches() {
    // Three times: everybody's sum of the neighbours so far.
    let text = hlo(1, 4, "\
body {
  s = (s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  n = s32[] add(i, one)
  y = s32[2] all-reduce(x), replica_groups={{0,1},{2,3}}, channel_id=1, use_global_device_ids=true, to_apply=add
  z = s32[2] collective-permute(y), channel_id=2, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}
  ROOT t = (s32[], s32[2]) tuple(n, z)
}

condition {
  s = (s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT c = pred[] compare(i, three), direction=LT
}

left {
  x = s32[2] parameter(0)
  ROOT y = s32[2] all-reduce(x), replica_groups={{0,1}}, channel_id=3, use_global_device_ids=true, to_apply=add
}

right {
  x = s32[2] parameter(0)
  ROOT y = s32[2] negate(x)
}

ENTRY e {
  x = s32[2] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], s32[2]) tuple(zero, x)
  w = (s32[], s32[2]) while(t), condition=condition, body=body
  y = s32[2] get-tuple-element(w), index=1
  p = u32[] partition-id()
  two = u32[] constant(2)
  c = pred[] compare(p, two), direction=LT
  ROOT r = s32[2] conditional(c, y, y), true_computation=left, false_computation=right
}");
    let mut x = inputs(4, 2);
    for _ in 0..3 {
        let pair = |a: usize, b: usize| vec![x[a][0] + x[b][0], x[a][1] + x[b][1]];
        let (low, high) = (pair(0, 1), pair(2, 3));
        x = vec![high.clone(), low.clone(), low, high];
    }
    let sum = vec![x[0][0] + x[1][0], x[0][1] + x[1][1]];
    let minus = |d: usize| x[d].iter().map(|v| -v).collect::<Vec<i32>>();
    assert_eq!(run_ints(&text, &inputs(4, 2), &[2]), [sum.clone(), sum, minus(2), minus(3)]);
}

#[test]
fn sends_and_receives() {
    let pairs = "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2}}}";
    let text = hlo(
        1,
        3,
        &format!(
            "ENTRY e {{\n  x = s32[2] parameter(0)\n  t = token[] after-all()\n  \
         s = (s32[2], u32[], token[]) send(x, t), channel_id=5, {pairs}\n  \
         d = token[] send-done(s), channel_id=5\n  \
         r = (s32[2], u32[], token[]) recv(t), channel_id=5, {pairs}\n  \
         g = (s32[2], token[]) recv-done(r), channel_id=5\n  \
         ROOT y = s32[2] get-tuple-element(g), index=0\n}}"
        ),
    );
    let x = inputs(3, 2);
    assert_eq!(run_ints(&text, &x, &[2]), [vec![0, 0], x[0].clone(), x[1].clone()]);
}

#[test]
fn tuples_of_operands() {
    let text = hlo(
        1,
        2,
        "ENTRY e {\n  x = s32[2] parameter(0)\n  y = s32[2] negate(x)\n  \
        r = (s32[2], s32[2]) all-reduce(x, y), replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add\n  \
        a = (s32[2], s32[2]) all-to-all(x, y), replica_groups={{0,1}}, channel_id=2\n  \
        ROOT t = ((s32[2], s32[2]), (s32[2], s32[2])) tuple(r, a)\n}",
    );
    let x = inputs(2, 2);
    let given = x.iter().map(|x| vec![Tensor::from_slice(&[2], x)]).collect();
    let run = run(&text, given).unwrap();
    let ints: Vec<Vec<Vec<i32>>> = run
        .outputs
        .into_iter()
        .map(|o| tensors(o).iter().map(|t| t.as_slice::<i32>().to_vec()).collect())
        .collect();
    assert_eq!(ints[0], [[100, 102], [-100, -102], [0, 1], [100, 101]]);
    assert_eq!(ints[1], [[100, 102], [-100, -102], [0, -1], [-100, -101]]);
    let moved: Vec<(&str, u64, u64)> =
        run.traffic.iter().map(|t| (&*t.operation, t.exchanges, t.bytes)).collect();
    assert_eq!(moved, [("stablehlo.all_reduce", 1, 32), ("stablehlo.all_to_all", 1, 32)]);
}

/// Who arrives first decides nothing: floats add up in the order of the group.
#[test]
fn sums_have_an_order() {
    let text = "HloModule m, num_partitions=8\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
        ROOT c = f32[] add(a, b)\n}\n\nENTRY e {\n  x = f32[64] parameter(0)\n  \
        ROOT r = f32[64] all-reduce(x), replica_groups={{7,0,1,2,3,4,5,6}}, channel_id=1, use_global_device_ids=true, to_apply=add\n}";
    let x: Vec<Vec<f32>> =
        (0..8).map(|d| (0..64).map(|i| (d as f32 + 0.1) * (i as f32).exp2() / 3.0).collect()).collect();
    let expected: Vec<f32> = (0..64)
        .map(|i| [0, 1, 2, 3, 4, 5, 6].iter().fold(x[7][i], |sum, &d: &usize| sum + x[d][i]))
        .collect();
    for _ in 0..20 {
        let given = x.iter().map(|x| vec![Tensor::from_slice(&[64], x)]).collect();
        for out in run(text, given).unwrap().outputs {
            assert_eq!(tensors(out)[0].as_slice::<f32>(), expected);
        }
    }
}

#[test]
fn the_first_of_a_group_gets_the_reduction() {
    for devices in [2usize, 4] {
        for (text, groups) in groupings(devices) {
            let x = inputs(devices, 3);
            let text = hlo(
                1,
                devices,
                &format!(
                    "ENTRY e {{\n  x = s32[3] parameter(0)\n  ROOT r = s32[3] collective-reduce(x), \
                     replica_groups={text}, channel_id=1, use_global_device_ids=true, to_apply=add\n}}"
                ),
            );
            let got = run_ints(&text, &x, &[3]);
            for (d, got) in got.iter().enumerate() {
                let (group, index) = place(&groups, d);
                let sum = |i: usize| group.iter().map(|&m| x[m][i]).sum::<i32>();
                let want: Vec<i32> = (0..3).map(|i| if index == 0 { sum(i) } else { 0 }).collect();
                assert_eq!(*got, want, "device {d} of\n{text}");
            }
        }
    }
}

/// Device `d` gives member `m` some of its rows, `each` times; the definition is followed word by word.
#[test]
fn rows_are_exchanged_in_any_number() {
    const ROWS: usize = 12;
    const OUT: usize = 40;
    for (devices, each) in [(2usize, 1usize), (4, 1), (4, 2)] {
        for (text, groups) in groupings(devices) {
            let n = groups[0].len() * each;
            let body = format!(
                "ENTRY e {{\n  x = s32[{ROWS},2] parameter(0)\n  o = s32[{OUT},2] parameter(1)\n  \
                 a = s32[{n}] parameter(2)\n  b = s32[{n}] parameter(3)\n  c = s64[{n}] parameter(4)\n  \
                 d = s32[{n}] parameter(5)\n  ROOT r = s32[{OUT},2] ragged-all-to-all(x, o, a, b, c, d), \
                 replica_groups={text}, channel_id=1\n}}"
            );
            let x: Vec<Vec<i32>> = inputs(devices, ROWS * 2);
            let old: Vec<Vec<i32>> = (0..devices).map(|d| vec![-1 - d as i32; OUT * 2]).collect();
            let sizes: Vec<Vec<i32>> =
                (0..devices).map(|d| (0..n).map(|k| ((d * 2 + k) % 4) as i32).collect()).collect();
            let starts: Vec<Vec<i32>> =
                (0..devices).map(|d| (0..n).map(|k| ((d + 3 * k) % 9) as i32).collect()).collect();
            // Where this device's rows go: four places for each sender and time.
            let places: Vec<Vec<i64>> = (0..devices)
                .map(|d| {
                    let (_, me) = place(&groups, d);
                    (0..n).map(|k| ((me * each + k % each) * 4 + 1) as i64).collect()
                })
                .collect();
            let given = (0..devices)
                .map(|d| {
                    let (group, me) = place(&groups, d);
                    let received: Vec<i32> =
                        (0..n).map(|k| sizes[group[k / each]][me * each + k % each]).collect();
                    vec![
                        Tensor::from_slice(&[ROWS, 2], &x[d]),
                        Tensor::from_slice(&[OUT, 2], &old[d]),
                        Tensor::from_slice(&[n], &starts[d]),
                        Tensor::from_slice(&[n], &sizes[d]),
                        Tensor::from_slice(&[n], &places[d]),
                        Tensor::from_slice(&[n], &received),
                    ]
                })
                .collect();
            let mut want = old.clone();
            for sender in 0..devices {
                let (group, _) = place(&groups, sender);
                for (m, &receiver) in group.iter().enumerate() {
                    for k in m * each..(m + 1) * each {
                        for row in 0..sizes[sender][k] as usize {
                            let (from, to) =
                                (starts[sender][k] as usize + row, places[sender][k] as usize + row);
                            want[receiver][to * 2..to * 2 + 2]
                                .copy_from_slice(&x[sender][from * 2..from * 2 + 2]);
                        }
                    }
                }
            }
            let text = hlo(1, devices, &body);
            let run = run(&text, given).unwrap_or_else(|e| panic!("{e}\n{text}"));
            for (d, out) in run.outputs.into_iter().enumerate() {
                assert_eq!(tensors(out)[0].as_slice::<i32>(), want[d], "device {d} of\n{text}");
            }
        }
    }
}

/// The shape in which XLA:TPU spreads a collective over the fusions that follow.
#[test]
fn a_collective_may_be_spread_over_fusions() {
    let text = "HloModule m, replica_count=1, num_partitions=4\n\n\
        start {\n  p = f32[1,2] parameter(0)\n  \
          g = f32[4,2] all-gather(p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true\n  \
          ROOT s = (f32[1,2], f32[4,2], s32[2], u32[]) custom-call(g), custom_call_target=\"AsyncCollectiveStart\"\n}\n\n\
        done {\n  p = f32[1,2] parameter(0)\n  b = f32[4,2] parameter(1)\n  f = s32[2] parameter(2)\n  s = u32[] parameter(3)\n  \
          g = f32[4,2] all-gather(p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true\n  \
          ROOT r = f32[4,2] custom-call(p, b, g, f, s), custom_call_target=\"AsyncCollectiveDone\"\n}\n\n\
        ENTRY e {\n  x = f32[1,2] parameter(0)\n  \
          t = (f32[1,2], f32[4,2], s32[2], u32[]) fusion(x), kind=kCustom, calls=start\n  \
          a = f32[1,2] get-tuple-element(t), index=0\n  b = f32[4,2] get-tuple-element(t), index=1\n  \
          c = s32[2] get-tuple-element(t), index=2\n  d = u32[] get-tuple-element(t), index=3\n  \
          ROOT r = f32[4,2] fusion(a, b, c, d), kind=kCustom, calls=done\n}\n";
    let given = (0..4).map(|d| vec![Tensor::from_slice(&[1, 2], &[d as f32, 10.0 + d as f32])]).collect();
    let run = run(text, given).unwrap_or_else(|e| panic!("{e}"));
    let want = vec![Tensor::from_slice(&[4, 2], &[0f32, 10.0, 1.0, 11.0, 2.0, 12.0, 3.0, 13.0])];
    for out in run.outputs {
        assert_eq!(tensors(out), want);
    }
}
