//! Stacks that hold the deepest program: regions nest as deep as the parser lets them, and each level takes a few frames.

use sim_core::{Diagnostic, Result};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reserved, not touched.
const STACK: usize = 256 << 20;

thread_local! {
    /// The stack of this thread holds what is run next.
    static ROOMY: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` on a large stack: a thread of its own, unless this one has such a stack. A panic in there is a bug of
/// ours, and an error like others to the caller.
pub(crate) fn on_big_stack<T: Send>(f: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    if ROOMY.get() {
        return catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic)));
    }
    std::thread::scope(|s| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, f) {
        Ok(handle) => handle.join().unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic))),
        Err(e) => Err(Diagnostic::resource(format!("the system gives no thread: {e}"))
            .help("raise the limit on processes or on address space (ulimit -u, ulimit -v)")),
    })
}

/// A thread on which programs run without one of their own.
///
/// # Errors
/// The system gives no thread.
pub fn spawn_on_big_stack(name: &str, f: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    builder.spawn(move || {
        ROOMY.set(true);
        f();
    })?;
    Ok(())
}

/// Runs `f` with programs in it on the stack at hand. The caller knows them to be shallow: a few frames for each
/// level of regions and calls.
pub fn on_this_stack<T>(f: impl FnOnce() -> T) -> T {
    /// Puts back what was, also after a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ROOMY.set(self.0);
        }
    }
    let _before = Before(ROOMY.replace(true));
    f()
}
