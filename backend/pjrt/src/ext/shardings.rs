//! How arguments and results lie on the devices.

use super::{Shared, base};
use crate::calls::executable::ExecutableHandle;
use crate::entry::functions;
use crate::ffi::ext::shardings::*;
use crate::ffi::*;
use crate::handle::Handle;
use crate::values::Texts;
use backend::client::program::Port;
use backend::client::status::{Result, Status};

pub static EXTENSION: Shared<PJRT_Shardings_Extension> = Shared(PJRT_Shardings_Extension {
    base: base::<PJRT_Shardings_Extension>(
        PJRT_Extension_Type::Shardings,
        super::memory_descriptions::EXTENSION.pointer(),
    ),
    PJRT_Shardings_PJRT_Executable_ParameterShardings: Some(
        PJRT_Shardings_PJRT_Executable_ParameterShardings,
    ),
    PJRT_Shardings_PJRT_Executable_OutputShardings: Some(PJRT_Shardings_PJRT_Executable_OutputShardings),
});

fn texts(ports: &[Port]) -> Result<Texts> {
    let protos: Vec<Vec<u8>> = ports.iter().map(Port::sharding_proto).collect::<Result<_>>()?;
    Ok(Texts::new(protos))
}

/// Null if there are none: XLA gives an empty tuple one sharding, and refuses a list of none.
fn lists(texts: &Texts) -> (*const *const std::ffi::c_char, *const usize) {
    match texts.count() {
        0 => (std::ptr::null(), std::ptr::null()),
        _ => (texts.pointers(), texts.sizes()),
    }
}

functions! {
    fn PJRT_Shardings_PJRT_Executable_ParameterShardings(args: PJRT_Shardings_PJRT_Executable_ParameterShardings_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let texts = executable.shardings[0].get_or_init(|| texts(&executable.program.parameters));
        let texts = texts.as_ref().map_err(Status::clone)?;
        args.num_parameters = texts.count();
        (args.shardings, args.sharding_sizes) = lists(texts);
    }

    fn PJRT_Shardings_PJRT_Executable_OutputShardings(args: PJRT_Shardings_PJRT_Executable_OutputShardings_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let texts = executable.shardings[1].get_or_init(|| texts(&executable.program.results));
        let texts = texts.as_ref().map_err(Status::clone)?;
        args.num_outputs = texts.count();
        (args.shardings, args.sharding_sizes) = lists(texts);
    }
}
