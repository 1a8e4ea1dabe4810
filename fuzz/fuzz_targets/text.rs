//! Reads any bytes as a program, verifies it, prints it, and reads that back: whatever we accept
//! must survive its own printer.
#![no_main]

use backend::frontend::{self, Source};
use libfuzzer_sys::fuzz_target;
use sim_core::ir::verify::verify_module;

fuzz_target!(|data: &[u8]| {
    let Ok(modules) = frontend::parse(&Source::from_bytes("fuzz", data)) else { return };
    for module in modules {
        if verify_module(&module).is_err() {
            continue;
        }
        let text = module.to_string();
        let again = frontend::parse(&Source::from_bytes("printed", text.as_bytes()));
        let again = again.unwrap_or_else(|e| panic!("printed, and not read back: {e}\n{text}"));
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!(again[0].to_string(), text, "printed twice, and not the same");
    }
});
