//! `collective-permute` in place: slices of one array go to places in another one.

use super::{executable, hlo, run};
use sim_core::Tensor;

/// Three rows of two numbers on each of four devices, told apart by `100 d + i`; where nothing arrives, `-d`.
fn inputs() -> Vec<Vec<Tensor>> {
    (0..4i32)
        .map(|d| {
            let x: Vec<i32> = (0..6).map(|i| 100 * d + i).collect();
            vec![Tensor::from_slice(&[3, 2], &x), Tensor::from_slice(&[3, 2], &[-d; 6])]
        })
        .collect()
}

/// `moves`: (from device, its row, to device, its row).
fn expected(moves: &[(i32, i32, usize, usize)]) -> Vec<Vec<i32>> {
    let mut out: Vec<Vec<i32>> = (0..4i32).map(|d| vec![-d; 6]).collect();
    for &(from, row, to, at) in moves {
        out[to][2 * at] = 100 * from + 2 * row;
        out[to][2 * at + 1] = 100 * from + 2 * row + 1;
    }
    out
}

const HEAD: &str = "ENTRY e {
  x = s32[3,2] parameter(0)
  o = s32[3,2] parameter(1)
  c0 = s32[] constant(0)
  c1 = s32[] constant(1)
  c2 = s32[] constant(2)
  r0 = (s32[], s32[]) tuple(c0, c0)
  r1 = (s32[], s32[]) tuple(c1, c0)
  r2 = (s32[], s32[]) tuple(c2, c0)
  from = ((s32[], s32[]), (s32[], s32[])) tuple(r0, r2)
  to = ((s32[], s32[]), (s32[], s32[])) tuple(r1, r0)
";

fn got(text: &str) -> Vec<Vec<Vec<i32>>> {
    let run = run(text, inputs()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let ints = |v: backend::runtime::Value| v.tensor().unwrap().as_slice::<i32>().to_vec();
    run.outputs.into_iter().map(|out| out.into_iter().map(ints).collect()).collect()
}

const PAIRS: &str = "channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{0,3},{2,1},{3,2}}";

/// The first pair of a device takes its first slice, the second its second; likewise where they arrive.
const MOVES: [(i32, i32, usize, usize); 6] =
    [(0, 0, 1, 1), (1, 0, 2, 1), (2, 0, 3, 1), (0, 2, 3, 0), (2, 2, 1, 0), (3, 0, 2, 0)];

#[test]
fn several_slices_of_an_array() {
    let plain = format!(
        "{HEAD}  ROOT y = s32[3,2] collective-permute(x, o, from, to), {PAIRS}, slice_sizes={{{{1,2}},{{1,2}}}}\n}}"
    );
    let pair = format!(
        "{HEAD}  s = (s32[3,2], s32[3,2], u32[], u32[]) collective-permute-start(x, o, from, to), {PAIRS}, \
         slice_sizes={{{{1,2}},{{1,2}}}}\n  ROOT y = s32[3,2] collective-permute-done(s)\n}}"
    );
    for body in [plain, pair] {
        let got: Vec<Vec<i32>> = got(&hlo(1, 4, &body)).into_iter().map(|mut out| out.remove(0)).collect();
        assert_eq!(got, expected(&MOVES));
    }
}

#[test]
fn slices_of_several_arrays() {
    let body = format!(
        "{HEAD}  xs = (s32[3,2], s32[3,2]) tuple(x, x)\n  os = (s32[3,2], s32[3,2]) tuple(o, o)\n  \
         b = ((s32[], s32[]), (s32[], s32[])) tuple(r1, r1)\n  \
         f = (((s32[], s32[]), (s32[], s32[])), ((s32[], s32[]), (s32[], s32[]))) tuple(from, b)\n  \
         t = (((s32[], s32[]), (s32[], s32[])), ((s32[], s32[]), (s32[], s32[]))) tuple(to, from)\n  \
         ROOT y = (s32[3,2], s32[3,2]) collective-permute(xs, os, f, t), {PAIRS}, \
         slice_sizes={{{{1,2}},{{1,2}},{{1,2}},{{1,2}}}}\n}}"
    );
    let got = got(&hlo(1, 4, &body));
    let second: Vec<_> =
        MOVES.iter().map(|&(from, _, to, at)| (from, 1, to, if at == 1 { 0 } else { 2 })).collect();
    let (want, second) = (expected(&MOVES), expected(&second));
    for (d, out) in got.iter().enumerate() {
        assert_eq!(out[..], [want[d].clone(), second[d].clone()], "device {d}");
    }
}

#[test]
fn slices_that_do_not_fit() {
    for (call, says) in [
        (
            format!("collective-permute(x, o, from, to), {PAIRS}, slice_sizes={{{{1,2}}}}"),
            "1 sizes of slices, and starts of 2",
        ),
        (
            format!("collective-permute(x, o, from, r0), {PAIRS}, slice_sizes={{{{1,2}},{{1,2}}}}"),
            "starts of 2",
        ),
        (
            format!("collective-permute(x, o, from, to), {PAIRS}, slice_sizes={{{{1,2}},{{2,2}}}}"),
            "is sent to place",
        ),
        (
            format!("collective-permute(x, o, r0, r0), {PAIRS}, slice_sizes={{{{1,2}}}}"),
            "in more pairs than there are slices, 1",
        ),
        (format!("collective-permute(x, o, c0, c0), {PAIRS}, slice_sizes={{{{1,2}}}}"), "tuples of numbers"),
        (format!("collective-permute(x, o), {PAIRS}, slice_sizes={{{{1,2}}}}"), "four operands"),
    ] {
        let text = hlo(1, 4, &format!("{HEAD}  ROOT y = s32[3,2] {call}\n}}"));
        let e = match executable("test", &text) {
            Ok(_) => panic!("it is taken\n{text}"),
            Err(e) => e,
        };
        assert!(e.message().contains(says) && e.span().is_some(), "{e}\n{text}");
    }
}
