//! Reads any bytes as MLIR bytecode: a module that verifies and prints, or an error; never a panic.
#![no_main]

use backend::frontend::{self, Source};
use libfuzzer_sys::fuzz_target;
use sim_core::ir::verify::verify_module;

fuzz_target!(|data: &[u8]| {
    // The magic number need not be guessed.
    let bytes = [b"ML\xefR", data].concat();
    let Ok(modules) = frontend::parse(&Source::from_bytes("fuzz", bytes)) else { return };
    for module in modules {
        if verify_module(&module).is_ok() {
            let _ = module.to_string();
        }
    }
});
