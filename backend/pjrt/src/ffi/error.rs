//! Errors: who makes one keeps its table of functions at its head, so that whoever holds it can read and free
//! it.

use super::*;
use std::ffi::c_char;

c_enums! {
    /// `absl::StatusCode`.
    PJRT_Error_Code {
        Ok = 0, Cancelled = 1, Unknown = 2, InvalidArgument = 3, DeadlineExceeded = 4, NotFound = 5,
        AlreadyExists = 6, PermissionDenied = 7, ResourceExhausted = 8, FailedPrecondition = 9, Aborted = 10,
        OutOfRange = 11, Unimplemented = 12, Internal = 13, Unavailable = 14, DataLoss = 15, Unauthenticated = 16,
    }
}

/// Shown each payload of an error: key, its size, value, its size, the visitor's own argument.
pub type PJRT_Error_PayloadVisitor =
    Option<unsafe extern "C" fn(*const c_char, usize, *const c_char, usize, UserArg)>;

/// Makes the error that a client's callback returns to the plugin: code, message, its size.
pub type PJRT_CallbackError =
    Option<unsafe extern "C" fn(PJRT_Error_Code, *const c_char, usize) -> *mut PJRT_Error>;

c_structs! {
    /// An error: a table, and behind it what its maker needs.
    PJRT_Error: object { vtable: *const PJRT_Error_FunctionTable }
    /// What can be done with an error, whoever made it.
    PJRT_Error_FunctionTable: sized {
        /// Of the struct that begins with the table's pointer.
        instance_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        destroy: Option<unsafe extern "C" fn(*mut PJRT_Error)>,
        /// The message lives as long as the error.
        message: Option<unsafe extern "C" fn(*const PJRT_Error, *mut *const c_char, *mut usize)>,
        get_code: Option<unsafe extern "C" fn(*const PJRT_Error) -> PJRT_Error_Code>,
        for_each_payload: Option<unsafe extern "C" fn(*const PJRT_Error, PJRT_Error_PayloadVisitor, UserArg)>,
    }
    /// Null is allowed.
    PJRT_Error_Destroy_Args { error: *mut PJRT_Error }
    /// Lives as long as the error.
    PJRT_Error_Message_Args { error: *const PJRT_Error => message: *const c_char, message_size: usize }
    PJRT_Error_GetCode_Args { error: *const PJRT_Error => code: PJRT_Error_Code }
    /// Calls the visitor once for each payload, before it returns.
    PJRT_Error_ForEachPayload_Args {
        error: *const PJRT_Error, visitor: PJRT_Error_PayloadVisitor, user_arg: UserArg,
    }
}
