//! Reads any bytes as a program (StableHLO or HLO), compiles it for a chip, prints what comes out and reads that: the same module. What
//! cannot be compiled is refused, never with an internal error.
#![no_main]

use backend::compiler;
use backend::frontend::hlo::{export::export_as_written, import::import};
use backend::frontend::{self, ParseOptions, Source};
use libfuzzer_sys::fuzz_target;
use sim_core::ErrorKind;
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use sim_core::ir::verify::verify_module;

fn read(text: &[u8]) -> Option<Vec<HloModule>> {
    let source = Source::from_bytes("fuzz", text);
    if let Some(modules) = frontend::parse_hlo(&source, &ParseOptions::default()).ok()? {
        return Some(modules);
    }
    let modules = frontend::parse(&source).ok()?;
    Some(modules.iter().filter(|m| verify_module(m).is_ok()).filter_map(|m| export_as_written(m).ok()).collect())
}

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the chip, so that one corpus serves all.
    let Some((&first, text)) = data.split_first() else { return };
    let names = ["v6e", "v5e", "v5p", "v4", "v7x"];
    let chip = Chip::named(names[usize::from(first) % names.len()]).expect("a known chip");
    for module in read(text).into_iter().flatten() {
        let text = module.to_string();
        let is_read = frontend::parse_hlo(&Source::from_bytes("source", text), &ParseOptions::default()).is_ok();
        let is_valid = is_read && import(&module).is_ok_and(|m| verify_module(&m).is_ok());
        let compiled = match compiler::compile(module, chip, &mut |_, _| {}) {
            Ok(compiled) => compiled,
            Err(e) => {
                assert!(e.kind() != ErrorKind::Internal, "{e}");
                continue;
            }
        };
        // What breaks rules may be printed as what cannot be read.
        if !is_valid {
            continue;
        }
        let printed = compiled.to_string();
        let source = Source::from_bytes("printed", printed.as_bytes());
        let again = frontend::parse_hlo(&source, &ParseOptions::default())
            .unwrap_or_else(|e| panic!("printed, and not read back: {e}\n{printed}"));
        let again = again.unwrap_or_default();
        assert_eq!(again.len(), 1, "{printed}");
        assert_eq!(again[0].to_string(), printed, "printed twice, and not the same");
    }
});
