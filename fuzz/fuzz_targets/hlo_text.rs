//! Reads any bytes as HLO text, prints what it found and reads that: the same module. What is imported verifies or
//! is refused.
#![no_main]

use backend::frontend::hlo::{import, parse_text};
use libfuzzer_sys::fuzz_target;
use sim_core::hlo::print::{PrintOptions, module_text};
use sim_core::ir::verify::verify_module;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(modules) = parse_text(text, true) else { return };
    let options = PrintOptions { xla_order: false, ..PrintOptions::default() };
    for module in modules {
        let _ = import::import(&module).and_then(|m| verify_module(&m));
        let printed = module_text(&module, &options);
        let again = parse_text(&printed, true).unwrap_or_else(|e| panic!("printed, and not read back: {e}\n{printed}"));
        let [again] = &again[..] else { panic!("printed as {} modules\n{printed}", again.len()) };
        assert_eq!(module_text(again, &options), printed, "printed twice, and not the same");
    }
});
