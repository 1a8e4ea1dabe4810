//! Errors as C sees them.

use crate::ffi::*;
use backend::client::status::{Code, Result, Status};
use std::ffi::c_char;

/// A status behind the table that every `PJRT_Error` begins with.
#[repr(C)]
struct ErrorHandle {
    head: PJRT_Error,
    status: Status,
}

static TABLE: Table = Table(PJRT_Error_FunctionTable {
    struct_size: PJRT_Error_FunctionTable::LAYOUT.end(),
    instance_size: size_of::<ErrorHandle>(),
    extension_start: std::ptr::null_mut(),
    destroy: Some(destroy),
    message: Some(message),
    get_code: Some(get_code),
    for_each_payload: Some(for_each_payload),
});

struct Table(PJRT_Error_FunctionTable);
// SAFETY: never written, and its only pointer is null.
unsafe impl Sync for Table {}

/// Null where all went well.
pub fn raise(outcome: Result<()>) -> *mut PJRT_Error {
    match outcome {
        Ok(()) => std::ptr::null_mut(),
        Err(status) => {
            Box::into_raw(Box::new(ErrorHandle { head: PJRT_Error { vtable: &TABLE.0 }, status })).cast()
        }
    }
}

/// Takes an error that a client's callback returned.
///
/// # Safety
/// Null, or an error that nobody else holds.
pub unsafe fn take(error: *mut PJRT_Error) -> Result<()> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: an error begins with the table of its maker, whose functions are for it.
    unsafe {
        let Some(table) = (*error).vtable.as_ref() else {
            return Err(Status::internal("a client's error has no table of functions"));
        };
        let code = table.get_code.map_or(PJRT_Error_Code::Unknown, |f| f(error));
        let (mut data, mut size) = (std::ptr::null(), 0);
        if let Some(f) = table.message {
            f(error, &raw mut data, &raw mut size);
        }
        let text = String::from_utf8_lossy(crate::entry::list(data.cast::<u8>(), size)).into_owned();
        if let Some(f) = table.destroy {
            f(error);
        }
        Err(Status::new(code_of(code), text))
    }
}

/// The code that is meant, `Unknown` if it is none of ours.
pub fn code_of(code: PJRT_Error_Code) -> Code {
    match code.0 {
        1 => Code::Cancelled,
        3 => Code::InvalidArgument,
        5 => Code::NotFound,
        8 => Code::ResourceExhausted,
        9 => Code::FailedPrecondition,
        10 => Code::Aborted,
        11 => Code::OutOfRange,
        12 => Code::Unimplemented,
        13 => Code::Internal,
        14 => Code::Unavailable,
        _ => Code::Unknown,
    }
}

/// What a client said happened: an error unless the code is `Ok`.
///
/// # Safety
/// `message` is null or points to `size` bytes.
pub unsafe fn outcome(code: PJRT_Error_Code, message: *const c_char, size: usize) -> Result<()> {
    if code == PJRT_Error_Code::Ok {
        return Ok(());
    }
    // SAFETY: as the caller vouches.
    let text =
        String::from_utf8_lossy(unsafe { crate::entry::list(message.cast::<u8>(), size) }).into_owned();
    Err(Status::new(code_of(code), text))
}

/// Makes an error for a client's callback to return.
///
/// # Safety
/// `message` is null or points to `size` bytes.
pub unsafe extern "C" fn from_callback(
    code: PJRT_Error_Code,
    message: *const c_char,
    size: usize,
) -> *mut PJRT_Error {
    // SAFETY: the client vouches for its message.
    match unsafe { outcome(code, message, size) } {
        Ok(()) => raise(Err(Status::new(Code::Unknown, "a callback made an error with the code OK"))),
        err => raise(err),
    }
}

unsafe extern "C" fn destroy(error: *mut PJRT_Error) {
    if !error.is_null() {
        // SAFETY: our table is only in errors that `raise` made.
        drop(unsafe { Box::from_raw(error.cast::<ErrorHandle>()) });
    }
}

unsafe extern "C" fn message(error: *const PJRT_Error, text: *mut *const c_char, size: *mut usize) {
    // SAFETY: our table is only in errors that `raise` made; the caller has room for both.
    unsafe {
        let status = &(*error.cast::<ErrorHandle>()).status;
        *text = status.message.as_ptr().cast();
        *size = status.message.len();
    }
}

unsafe extern "C" fn get_code(error: *const PJRT_Error) -> PJRT_Error_Code {
    // SAFETY: our table is only in errors that `raise` made.
    PJRT_Error_Code(unsafe { (*error.cast::<ErrorHandle>()).status.code as u32 })
}

unsafe extern "C" fn for_each_payload(_: *const PJRT_Error, _: PJRT_Error_PayloadVisitor, _: UserArg) {}

/// The table of an error, whoever made it.
unsafe fn table<'a>(error: *const PJRT_Error) -> Option<&'a PJRT_Error_FunctionTable> {
    // SAFETY: null, or an error, which begins with its table.
    unsafe { error.as_ref().and_then(|e| e.vtable.as_ref()) }
}

/// # Safety
/// As the header says. Null is allowed.
pub unsafe extern "C" fn PJRT_Error_Destroy(args: *mut PJRT_Error_Destroy_Args) {
    // SAFETY: the caller gives its error away.
    unsafe {
        if let Some(args) = args.as_ref()
            && let Some(destroy) = table(args.error).and_then(|t| t.destroy)
        {
            destroy(args.error);
        }
    }
}

/// # Safety
/// As the header says.
pub unsafe extern "C" fn PJRT_Error_Message(args: *mut PJRT_Error_Message_Args) {
    // SAFETY: the caller's error, and its args.
    unsafe {
        if let Some(args) = args.as_mut()
            && let Some(message) = table(args.error).and_then(|t| t.message)
        {
            message(args.error, &raw mut args.message, &raw mut args.message_size);
        }
    }
}

/// # Safety
/// As the header says.
pub unsafe extern "C" fn PJRT_Error_GetCode(args: *mut PJRT_Error_GetCode_Args) -> *mut PJRT_Error {
    // SAFETY: the caller's error, and its args.
    unsafe {
        crate::entry::call(args, |args| {
            args.code =
                table(args.error).and_then(|t| t.get_code).map_or(PJRT_Error_Code::Ok, |f| f(args.error));
            Ok(())
        })
    }
}

/// # Safety
/// As the header says.
pub unsafe extern "C" fn PJRT_Error_ForEachPayload(
    args: *mut PJRT_Error_ForEachPayload_Args,
) -> *mut PJRT_Error {
    // SAFETY: the caller's error, and its args.
    unsafe {
        crate::entry::call(args, |args| {
            if let Some(f) = table(args.error).and_then(|t| t.for_each_payload) {
                f(args.error, args.visitor, args.user_arg);
            }
            Ok(())
        })
    }
}
