//! `backend/tests/windows/*.hlo`: a module in, the windows of its products out. A file's first line is `// windows: `, a chip, and changes of
//! its parameters (`key=value`); behind the program stands what comes of it, which `TPUSIM_BLESS=1` writes.

use super::*;
use crate::frontend::{self, ParseOptions, Source};
use crate::time::config::BackendConfig;
use crate::time::{Options, simulate};
use std::fmt::Write as _;
use std::path::Path;

const RESULT: &str = "// => ";

fn parsed(text: &str) -> HloModule {
    let source = Source::from_bytes("program", text);
    frontend::parse_hlo(&source, &ParseOptions::default()).unwrap().expect("HLO").remove(0)
}

fn outcome(header: &str, program: &str) -> Result<String> {
    let mut words = header.strip_prefix("// windows:").expect("`// windows:`").split_whitespace();
    let chip = Chip::named(words.next().expect("a chip")).expect("a known chip");
    let chip = chip.with(&words.collect::<Vec<_>>())?;
    let mut module = parsed(program);
    choose(&mut module, &chip)?;
    let mut out = String::new();
    for instruction in module.computations.iter().flat_map(|c| &c.instructions) {
        let config = BackendConfig::of(instruction)?;
        let Some(w) = &config.window_config else { continue };
        let _ = writeln!(
            out,
            "{}: steps {:?}, result {:?}, left {:?}, right {:?}, {} B of VMEM{}",
            instruction.name,
            w.iteration_bounds,
            w.output_window_bounds,
            w.input_window_bounds,
            w.kernel_window_bounds,
            config.scoped_vmem(),
            config
                .megacore_config
                .map(|m| format!(", shared along {}", m.megacore_split_dim.0))
                .unwrap_or_default()
        );
    }
    let _ = writeln!(out, "{}", simulate(&module, &chip, &Options::default())?.total);
    // What is stated stays.
    let mut again = module.clone();
    choose(&mut again, &chip)?;
    assert_eq!(again, module);
    Ok(out)
}

#[test]
fn files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/windows");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = text.split(&format!("\n{}", RESULT.trim_end())).next().unwrap().trim_end().to_owned();
        let (header, body) = program.split_once('\n').unwrap();
        let got = outcome(header, body).unwrap_or_else(|e| format!("error: {e}"));
        let got: String = got.lines().map(|l| format!("{RESULT}{l}\n")).collect();
        let whole = format!("{program}\n\n{got}");
        if whole != text {
            if std::env::var_os("TPUSIM_BLESS").is_some() {
                std::fs::write(&path, whole).unwrap();
            } else {
                wrong.push(format!("{}:\n{got}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "TPUSIM_BLESS=1 writes what is new:\n{}", wrong.join("\n"));
}

fn square(n: u64) -> String {
    let shape = format!("bf16[{n},{n}]{{1,0:T(8,128)(2,1)}}");
    format!(
        "HloModule m, is_scheduled=true\n\nENTRY %main (x: bf16[{n},{n}], w: bf16[{n},{n}]) -> bf16[{n},{n}] {{\n  %x = {shape} \
         parameter(0)\n  %w = {shape} parameter(1)\n  ROOT %p = {shape} convolution(%x, %w), dim_labels=bf_io->bf\n}}\n"
    )
}

/// More VMEM only adds to what there is to choose from.
#[test]
fn more_vmem_is_no_slower() {
    for n in [1024, 3000, 8192] {
        let mut last = None;
        for kib in [512, 1024, 4096, 16384, 65536] {
            let chip =
                Chip::named("v6e").unwrap().with(&[format!("vmem.scoped_bytes={}", kib * 1024)]).unwrap();
            let mut module = parsed(&square(n));
            choose(&mut module, &chip).unwrap();
            let time = simulate(&module, &chip, &Options::default()).unwrap().total;
            // The formula picks what is simulated, so that it may miss a little.
            assert!(
                last.is_none_or(|l: u64| time.ps() <= l + l / 100),
                "{n} with {kib} KiB: {time}, {last:?}"
            );
            last = Some(time.ps());
        }
    }
}

/// Sizes that no memory has are cut, or left, but end.
#[test]
fn absurd_sizes_end() {
    let mut module = parsed(&square(1 << 40));
    choose(&mut module, Chip::named("v5e").unwrap()).unwrap();
    let mut module = parsed(&square(0));
    choose(&mut module, Chip::named("v5e").unwrap()).unwrap();
}
