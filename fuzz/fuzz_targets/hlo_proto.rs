//! Reads any bytes as a protocol buffer of HLO, binary or text. What can be written is written in both forms, and
//! reads as the module that it was. What is imported verifies or is refused.
#![no_main]

use backend::frontend::hlo::{import, proto};
use libfuzzer_sys::fuzz_target;
use proto::Form;
use sim_core::hlo::HloModule;
use sim_core::hlo::print::{PrintOptions, module_text};
use sim_core::ir::verify::verify_module;

fn text(module: &HloModule) -> String {
    module_text(module, &PrintOptions { xla_order: false, ..PrintOptions::default() })
}

fuzz_target!(|data: &[u8]| {
    let read = match std::str::from_utf8(data).ok().filter(|text| proto::is_text(text.as_bytes())) {
        Some(text) => proto::parse_text(text),
        None => proto::parse(data),
    };
    let Ok(read) = read else { return };
    let _ = import::import(&read.module).and_then(|m| verify_module(&m));
    // Written once, it is in order.
    let Ok(bytes) = proto::encode(&read.module, Form::Module) else { return };
    let back = proto::parse(&bytes).unwrap_or_else(|e| panic!("written, and not read back: {e} {:?}", e.notes())).module;
    // The text form holds no payload of a NaN.
    let form = if text(&back).contains("nan(") { Form::Binary } else { Form::Text };
    let again = proto::encode(&back, form).unwrap_or_else(|e| panic!("written, and not again: {e} {:?}", e.notes()));
    let again = match form {
        Form::Text => proto::parse_text(std::str::from_utf8(&again).unwrap()),
        _ => proto::parse(&again),
    };
    let again = again.unwrap_or_else(|e| panic!("written again, and not read back: {e} {:?}", e.notes())).module;
    assert_eq!(text(&back), text(&again), "written twice, and not the same");
});
