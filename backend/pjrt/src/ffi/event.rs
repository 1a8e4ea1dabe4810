//! Events: what is ready once, with or without an error.

use super::*;
use std::ffi::c_char;

/// Called when an event is ready, with its error or null; who is called owns the error.
pub type PJRT_Event_OnReadyCallback = Option<unsafe extern "C" fn(*mut PJRT_Error, UserArg)>;

c_structs! {
    /// Null is allowed.
    PJRT_Event_Destroy_Args { event: *mut PJRT_Event }
    /// Ready, with or without an error.
    PJRT_Event_IsReady_Args { event: *mut PJRT_Event => is_ready: u8 }
    /// What it returns is the event's own error, null if it has none. The event must be ready.
    PJRT_Event_Error_Args { event: *mut PJRT_Event }
    /// Blocks; returns the event's own error, as `PJRT_Event_Error` does.
    PJRT_Event_Await_Args { event: *mut PJRT_Event }
    /// The callback is called once, on any thread, perhaps before this returns.
    PJRT_Event_OnReady_Args {
        event: *mut PJRT_Event, callback: PJRT_Event_OnReadyCallback, user_arg: UserArg,
    }
    /// An event that the client sets by `PJRT_Event_Set`.
    PJRT_Event_Create_Args { => event: *mut PJRT_Event }
    /// Once for each event. The message may be null if the code is `Ok`.
    PJRT_Event_Set_Args {
        event: *mut PJRT_Event, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize,
    }
}
