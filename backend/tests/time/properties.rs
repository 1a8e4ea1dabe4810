//! What must hold of any program: better hardware is no slower, names and the order of independent things do not matter, shares are
//! shares.

use backend::frontend::{self, ParseOptions, Source};
use backend::time::{self, Options, Timing};
use proptest::prelude::*;
use proptest::sample::select;
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use std::fmt::Write as _;

/// A kernel of a random program; each works on arrays of its own, so that any order is one.
#[derive(Clone, Debug)]
enum Piece {
    Elementwise {
        rows: u64,
        vmem: bool,
        steps: Option<u64>,
        functions: u32,
        in_place: bool,
    },
    Product {
        m: u64,
        k: u64,
        n: u64,
        weights_in_vmem: bool,
        grid: Option<[u64; 3]>,
    },
    Copy {
        rows: u64,
        relayout: bool,
    },
    Reduce {
        rows: u64,
    },
    Gather {
        rows: u64,
    },
    /// Fetched while the next pieces run.
    Prefetch {
        rows: u64,
    },
    Loop {
        trips: u64,
        rows: u64,
    },
}

fn piece() -> impl Strategy<Value = Piece> {
    let rows = || select(vec![1u64, 8, 40, 512, 4096, 30_000]);
    prop_oneof![
        (rows(), any::<bool>(), proptest::option::of(1u64..20), 1u32..5, any::<bool>()).prop_map(
            |(rows, vmem, steps, functions, in_place)| Piece::Elementwise {
                rows,
                vmem,
                steps,
                functions,
                in_place
            }
        ),
        (
            select(vec![8u64, 100, 1024]),
            select(vec![64u64, 512, 4096]),
            select(vec![100u64, 1024, 4096]),
            any::<bool>(),
            proptest::option::of((1u64..5, 1u64..5, 1u64..5).prop_map(|(a, b, c)| [a, b, c]))
        )
            .prop_map(|(m, k, n, weights_in_vmem, grid)| Piece::Product {
                m,
                k,
                n,
                weights_in_vmem,
                grid
            }),
        (rows(), any::<bool>()).prop_map(|(rows, relayout)| Piece::Copy { rows, relayout }),
        rows().prop_map(|rows| Piece::Reduce { rows }),
        rows().prop_map(|rows| Piece::Gather { rows }),
        rows().prop_map(|rows| Piece::Prefetch { rows }),
        (0u64..40, rows()).prop_map(|(trips, rows)| Piece::Loop { trips, rows }),
    ]
}

/// The module of those pieces. Computations come in the order of `order`; `tag` is in every name.
fn module(pieces: &[Piece], tag: &str, reversed: bool) -> HloModule {
    let (mut computations, mut entry, mut parameters) = (Vec::new(), String::new(), Vec::new());
    let mut dones = String::new();
    for (i, piece) in pieces.iter().enumerate() {
        let (p, n) = (format!("{tag}p{i}"), format!("{tag}n{i}"));
        let mut parameter = |name: &str, shape: &str| {
            let number = parameters.len();
            parameters.push(format!("  %{name} = {shape} parameter({number})\n"));
        };
        match *piece {
            Piece::Elementwise { rows, vmem, steps, functions, in_place } => {
                let space = if vmem { "S(1)" } else { "" };
                let shape = format!("bf16[{rows},256]{{1,0:T(8,128)(2,1){space}}}");
                let wide = format!("f32[{rows},256]{{1,0:T(8,128)}}");
                let mut body = format!(
                    "%{tag}f{i} (a: bf16[{rows},256]) -> bf16[{rows},256] {{\n  %a = {shape} parameter(0)\n  %v0 = {wide} convert(%a)\n"
                );
                for f in 1..=functions {
                    let _ = writeln!(body, "  %v{f} = {wide} exponential(%v{})", f - 1);
                }
                let _ = write!(body, "  ROOT %r = {shape} convert(%v{functions})\n}}\n");
                computations.push(body);
                parameter(&p, &shape);
                let mut config = Vec::new();
                if let Some(steps) = steps {
                    config.push(format!("\"window_config\":{{\"iteration_bounds\":[\"{steps}\",\"1\"],\"output_window_bounds\":[\"4\",\"2\"]}}"));
                }
                if in_place {
                    config.push("\"aliasing_operands\":{\"lists\":[{\"indices\":[\"0\",\"1\"]}]}".into());
                }
                let _ = writeln!(
                    entry,
                    "  %{n} = {shape} fusion(%{p}), kind=kLoop, calls=%{tag}f{i}, backend_config={{{}}}",
                    config.join(",")
                );
            }
            Piece::Product { m, k, n: columns, weights_in_vmem, grid } => {
                let space = if weights_in_vmem { "S(1)" } else { "" };
                let (x, w) = (
                    format!("bf16[{m},{k}]{{1,0:T(8,128)(2,1)}}"),
                    format!("bf16[{k},{columns}]{{1,0:T(8,128)(2,1){space}}}"),
                );
                let y = format!("bf16[{m},{columns}]{{1,0:T(8,128)(2,1)}}");
                computations.push(format!(
                    "%{tag}f{i} (a: bf16[{m},{k}], b: bf16[{k},{columns}]) -> bf16[{m},{columns}] {{\n  %a = {x} parameter(0)\n  %b = {w} parameter(1)\n  ROOT %r = {y} convolution(%a, %b), dim_labels=bf_io->bf\n}}\n"
                ));
                parameter(&p, &x);
                parameter(&format!("{p}w"), &w);
                let config = grid.map_or(String::new(), |[a, b, c]| {
                    let (rows, lanes) = (m.div_ceil(8).div_ceil(b), columns.div_ceil(128).div_ceil(a));
                    format!(", backend_config={{\"window_config\":{{\"iteration_bounds\":[\"{a}\",\"{b}\",\"{c}\"],\"output_window_bounds\":[\"{rows}\",\"{lanes}\"]}}}}")
                });
                let _ = writeln!(
                    entry,
                    "  %{n} = {y} fusion(%{p}, %{p}w), kind=kOutput, calls=%{tag}f{i}{config}"
                );
            }
            Piece::Copy { rows, relayout } => {
                let shape = |order: &str| format!("f32[{rows},512]{{{order}:T(8,128)}}");
                parameter(&p, &shape("1,0"));
                let _ =
                    writeln!(entry, "  %{n} = {} copy(%{p})", shape(if relayout { "0,1" } else { "1,0" }));
            }
            Piece::Reduce { rows } => {
                computations.push(format!(
                    "%{tag}add{i} (a: f32[], b: f32[]) -> f32[] {{\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}}\n"
                ));
                parameter(&p, &format!("f32[{rows},512]{{1,0:T(8,128)}}"));
                let _ = writeln!(
                    entry,
                    "  %{n}z = f32[] constant(0)\n  %{n} = f32[{rows}]{{0:T(1024)}} reduce(%{p}, %{n}z), dimensions={{1}}, to_apply=%{tag}add{i}"
                );
            }
            Piece::Gather { rows } => {
                parameter(&p, "f32[100000,128]{1,0:T(8,128)}");
                parameter(&format!("{p}i"), &format!("s32[{rows},1]{{0,1:T(1,128)}}"));
                let _ = writeln!(
                    entry,
                    "  %{n} = f32[{rows},128]{{1,0:T(8,128)}} gather(%{p}, %{p}i), offset_dims={{1}}, collapsed_slice_dims={{0}}, start_index_map={{0}}, index_vector_dim=1, slice_sizes={{1,128}}"
                );
            }
            Piece::Prefetch { rows } => {
                let shape = format!("f32[{rows},512]{{1,0:T(8,128)}}");
                let there = format!("f32[{rows},512]{{1,0:T(8,128)S(1)}}");
                parameter(&p, &shape);
                let _ = writeln!(entry, "  %{n} = ({there}, {shape}, u32[]{{:S(2)}}) copy-start(%{p})");
                let _ = writeln!(dones, "  %{n}d = {there} copy-done(%{n})");
            }
            Piece::Loop { trips, rows } => {
                let shape = format!("f32[{rows},512]{{1,0:T(8,128)}}");
                let state = format!("(s32[], {shape})");
                let plain = format!("(s32[], f32[{rows},512])");
                computations.push(format!("%{tag}c{i} (s: {plain}) -> pred[] {{\n  %s = {state} parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  %n = s32[] constant({trips})\n  ROOT %g = pred[] compare(%i, %n), direction=LT\n}}\n"));
                computations.push(format!("%{tag}b{i} (s: {plain}) -> {plain} {{\n  %s = {state} parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  %o = s32[] constant(1)\n  %j = s32[] add(%i, %o)\n  %x = {shape} get-tuple-element(%s), index=1\n  %y = {shape} sine(%x)\n  ROOT %t = {state} tuple(%j, %y)\n}}\n"));
                parameter(&p, &shape);
                let _ = writeln!(
                    entry,
                    "  %{n}z = s32[] constant(0)\n  %{n}t = {state} tuple(%{n}z, %{p})\n  %{n} = {state} while(%{n}t), condition=%{tag}c{i}, body=%{tag}b{i}"
                );
            }
        }
    }
    if reversed {
        computations.reverse();
        parameters.reverse();
    }
    let text = format!(
        "HloModule {tag}m, is_scheduled=true\n\n{}\nENTRY %{tag}main () -> f32[] {{\n{}{entry}{dones}  ROOT %{tag}end = f32[] constant(0)\n}}\n",
        computations.join("\n"),
        parameters.concat(),
    );
    // The signature of the entry lists its parameters.
    let signature: Vec<String> = {
        let mut list: Vec<(usize, String)> = parameters
            .iter()
            .map(|line| {
                let (name, rest) = line.trim().split_once(" = ").unwrap();
                let shape = rest.split('{').next().unwrap();
                let number = rest.rsplit('(').next().unwrap().trim_end_matches([')', '\n']).parse().unwrap();
                (number, format!("{}: {shape}", name.trim_start_matches('%')))
            })
            .collect();
        list.sort();
        list.into_iter().map(|(_, s)| s).collect()
    };
    let text = text.replacen("main () ->", &format!("main ({}) ->", signature.join(", ")), 1);
    let source = Source::from_bytes("random", text.clone());
    frontend::parse_hlo(&source, &ParseOptions::default())
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
        .unwrap()
        .remove(0)
}

fn simulate(module: &HloModule, chip: &Chip) -> Timing {
    time::simulate(module, chip, &Options { warm: true, ..Options::default() }).unwrap()
}

fn chip() -> impl Strategy<Value = &'static Chip> {
    select(vec!["v4", "v5e", "v5p", "v6e", "v7x"]).prop_map(|name| Chip::named(name).unwrap())
}

/// A key, and what it is multiplied by.
fn better() -> impl Strategy<Value = (&'static str, f64)> {
    prop_oneof![
        (Just("hbm.bandwidth_gbps"), 1.01f64..8.0),
        (Just("tensorcore.clock_mhz"), 1.01f64..8.0),
        (Just("vmem.scoped_bytes"), select(vec![1.5, 2.0, 4.0])),
        (Just("mxu.count"), select(vec![2.0, 3.0])),
        (Just("vpu.alus"), select(vec![2.0, 3.0])),
        (Just("dma.read_latency_us"), 0.0f64..1.0),
    ]
}

fn changed(chip: &Chip, (key, factor): (&str, f64)) -> Chip {
    let at = sim_core::chip::KEYS.iter().position(|k| k.name == key).unwrap();
    let value = match chip.entries()[at].as_ref().unwrap().value {
        sim_core::chip::Value::Whole(n) => format!("{}", (n as f64 * factor).round() as u64),
        sim_core::chip::Value::Real(x) => format!("{}", x * factor),
    };
    // A kernel's share of VMEM is no larger than all of it.
    chip.with(&[format!("{key}={value}"), "vmem.bytes=4294967296".into()]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Without prefetches: a kernel that has become faster takes more of HBM from a copy beside it, whose end may be what a program waits for.
    #[test]
    fn better_hardware_is_no_slower(pieces in proptest::collection::vec(piece(), 1..8), chip in chip(), better in better()) {
        let pieces: Vec<Piece> = pieces.into_iter().filter(|p| !matches!(p, Piece::Prefetch { .. })).collect();
        let module = module(&pieces, "", false);
        let (before, after) = (simulate(&module, chip), simulate(&module, &changed(chip, better)));
        // Each duration is rounded up to a picosecond, and there are some thousand.
        let slack = 1e-6 * before.total.ps() as f64 + 1e4;
        prop_assert!(after.total.ps() as f64 <= before.total.ps() as f64 + slack, "{better:?}: {} then {}", before.total, after.total);
    }

    #[test]
    fn names_and_independent_orders_do_not_matter(pieces in proptest::collection::vec(piece(), 1..8), chip in chip()) {
        let one = simulate(&module(&pieces, "", false), chip).total;
        prop_assert_eq!(one, simulate(&module(&pieces, "another_name_", false), chip).total);
        prop_assert_eq!(one, simulate(&module(&pieces, "", true), chip).total);
    }

    #[test]
    fn two_in_sequence_take_no_less_than_one(a in proptest::collection::vec(piece(), 1..5), b in proptest::collection::vec(piece(), 1..5), chip in chip()) {
        let of = |pieces: &[Piece]| simulate(&module(pieces, "", false), chip).total;
        let both: Vec<Piece> = a.iter().chain(&b).cloned().collect();
        let total = of(&both);
        prop_assert!(total >= of(&a).max(of(&b)).saturating_sub(sim_core::engine::Duration::from_ps(1000)));
        // And no more than one after the other, but for what shares HBM with a prefetch.
        prop_assert!(total.ps() as f64 <= (of(&a) + of(&b)).ps() as f64 * 2.0);
    }

    #[test]
    fn shares_are_shares(pieces in proptest::collection::vec(piece(), 1..8), chip in chip()) {
        let timing = simulate(&module(&pieces, "", false), chip);
        let s = timing.summary();
        for share in [s.mxu, s.vpu, s.xlu, s.hbm, s.mfu, s.padding, s.mxu_padding] {
            prop_assert!((0.0..=1.0).contains(&share), "{s:?}");
        }
        // The kernels and what was waited for are the whole.
        let parts: u64 = s.kernels.iter().map(|k| if k.asynchronous { k.waited.ps() } else { k.time.ps() }).sum();
        prop_assert!(parts <= timing.total.ps() + 1000, "{parts} {}", timing.total);
    }

    /// Multiplied iterations are what running them one by one would give.
    #[test]
    fn repeated_loops_are_multiplied_exactly(trips in 3u64..60, rows in 1u64..3000, chip in chip()) {
        let looped = simulate(&module(&[Piece::Loop { trips, rows }], "", false), chip);
        let once = simulate(&module(&[Piece::Loop { trips: 1, rows }], "", false), chip);
        let none = simulate(&module(&[Piece::Loop { trips: 0, rows }], "", false), chip);
        let each = once.total.ps() - none.total.ps();
        prop_assert_eq!(looped.total.ps(), none.total.ps() + trips * each);
    }
}
