//! Events and promises of a device, which raw buffers speak of.

use crate::ffi::*;
use std::ffi::{c_char, c_void};

c_enums! {
    PJRT_DeviceEvent_State { Unavailable = 0, Ready = 1, Error = 2 }
}

/// Called once, when an event is ready.
pub type PJRT_DeviceEvent_AndThen = Option<unsafe extern "C" fn(UserArg)>;

c_structs! {
    /// What can be done with an event of a device, whoever made it.
    PJRT_DeviceEvent_FunctionTable {
        inc_ref: Option<unsafe extern "C" fn(*mut c_void)>,
        dec_ref: Option<unsafe extern "C" fn(*mut c_void)>,
        and_then: Option<unsafe extern "C" fn(*mut c_void, PJRT_DeviceEvent_AndThen, UserArg)>,
        /// Not 0 if there is an error. The message lives as long as the event.
        get_error_if_present: Option<
            unsafe extern "C" fn(*mut c_void, *mut PJRT_Error_Code, *mut *const c_char, *mut usize) -> i32,
        >,
        /// Null, or the table of a more general kind that it can be used as.
        parent: *const PJRT_DeviceEvent_FunctionTable,
        get_state: Option<unsafe extern "C" fn(*mut c_void) -> PJRT_DeviceEvent_State>,
        /// A number of the platform's, 0 if it has none.
        get_definition_stream: Option<unsafe extern "C" fn(*mut c_void, *mut u64) -> isize>,
    }
    /// An event and its table, passed by value.
    PJRT_DeviceEvent: plain { vtable: *const PJRT_DeviceEvent_FunctionTable, device_event: *mut c_void }
    /// A list that who passed it frees by `destroy`.
    PJRT_DeviceEventVector: plain {
        data: *mut PJRT_DeviceEvent,
        size: usize,
        capacity: usize,
        destroy: Option<unsafe extern "C" fn(*mut PJRT_DeviceEvent)>,
    }
    /// What can be done with a promise, whoever made it.
    PJRT_DeviceEventPromise_FunctionTable: sized {
        instance_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        inc_ref: Option<unsafe extern "C" fn(*mut PJRT_DeviceEventPromise)>,
        dec_ref: Option<unsafe extern "C" fn(*mut PJRT_DeviceEventPromise)>,
        /// Lent: not counted as a reference.
        event: Option<unsafe extern "C" fn(*mut PJRT_DeviceEventPromise) -> PJRT_DeviceEvent>,
        set: Option<unsafe extern "C" fn(*mut PJRT_DeviceEventPromise, PJRT_DeviceEvent)>,
        set_error: Option<unsafe extern "C" fn(*mut PJRT_DeviceEventPromise, *mut PJRT_Error)>,
        set_ready: Option<unsafe extern "C" fn(*mut PJRT_DeviceEventPromise)>,
    }
    /// An event that is set later: a table, and behind it what its maker needs.
    PJRT_DeviceEventPromise: object { vtable: *const PJRT_DeviceEventPromise_FunctionTable }
}
