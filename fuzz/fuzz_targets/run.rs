//! Reads any bytes as a program, verifies it, and runs it on zeros with little memory and little
//! time: values or an error, never an internal one.
#![no_main]

use backend::frontend::{self, Source};
use backend::runtime::{Executable, RunOptions, Value};
use libfuzzer_sys::fuzz_target;
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, ErrorKind, Numerics, Type};
use std::sync::Arc;
use std::time::Duration;

const MEMORY: u64 = 16 << 20;
const TIME: Duration = Duration::from_millis(500);

fn zeros(ty: &Type, ctx: &Ctx) -> Option<Value> {
    match ty {
        Type::Tensor(t) => Some(Value::Tensor(ctx.alloc_zeroed(t.element, &t.static_dims()?).ok()?)),
        Type::Token => Some(Value::Token),
        Type::Tuple(ts) => ts.iter().map(|t| zeros(t, ctx)).collect::<Option<_>>().map(Value::Tuple),
        _ => None,
    }
}

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the arithmetic, so that one corpus serves both.
    let Some((&first, text)) = data.split_first() else { return };
    let numerics = if first.is_multiple_of(2) { Numerics::ieee() } else { Numerics::tpu() };
    let Ok(modules) = frontend::parse(&Source::from_bytes("fuzz", text)) else { return };
    for module in modules {
        if verify_module(&module).is_err() {
            return;
        }
        let options = RunOptions { numerics, ..RunOptions::default() };
        let Ok(exe) = Executable::new(Arc::new(module), options) else { return };
        let ctx = Ctx::new(numerics, MEMORY);
        let inputs: Option<Vec<Value>> = exe.signature().0.iter().map(|ty| zeros(ty, &ctx)).collect();
        let Some(inputs) = inputs else { return };
        let (done, waits) = std::sync::mpsc::channel::<()>();
        let watchdog = {
            let ctx = ctx.clone();
            std::thread::spawn(move || {
                if waits.recv_timeout(TIME).is_err() {
                    ctx.stop();
                }
            })
        };
        let result = exe.run_values(&ctx, inputs);
        let _ = done.send(());
        let _ = watchdog.join();
        if let Err(e) = result {
            assert!(e.kind() != ErrorKind::Internal, "{e}");
        }
    }
});
