//! Reads any bytes as MLIR bytecode. What verifies is written again, as itself and as a portable
//! artifact, and must read back: the first as the same module, the second so that it is written alike.
#![no_main]

use backend::frontend::bytecode::{Form, Version, encode};
use backend::frontend::{self, Source};
use libfuzzer_sys::fuzz_target;
use sim_core::ir::verify::verify_module;
use sim_core::ir::{Module, same};

/// Writes and reads; `None` for what cannot be written, or is less in bytes than in memory by so much that
/// the reader suspects an attack.
fn through(module: &Module, form: Form) -> Option<(Vec<u8>, Module)> {
    let bytes = encode(module, form).ok()?.to_bytes();
    match frontend::parse(&Source::from_bytes("written", bytes.clone())) {
        Ok(mut modules) => Some((bytes, modules.remove(0))),
        Err(e) if e.message().contains("that unfold to") => None,
        Err(e) => panic!("written as {form:?}, and not read back: {e}\n{module}"),
    }
}

fuzz_target!(|data: &[u8]| {
    // The magic number need not be guessed.
    let bytes = [b"ML\xefR", data].concat();
    let Ok(modules) = frontend::parse(&Source::from_bytes("fuzz", bytes)) else { return };
    for module in modules {
        if verify_module(&module).is_err() {
            continue;
        }
        if let Some((_, back)) = through(&module, Form::Direct) {
            same(&module, &back).unwrap_or_else(|e| panic!("written, and read back as another: {e}\n{module}"));
        }
        let form = Form::Portable(Version::NEWEST);
        if let Some((bytes, back)) = through(&module, form) {
            let again = encode(&back, form).unwrap_or_else(|e| panic!("written, and not again: {e}\n{module}"));
            assert_eq!(again.to_bytes(), bytes, "written twice, and not the same\n{module}");
        }
    }
});
