//! Functions of a client that are called when something goes wrong.

use crate::ffi::*;
use std::ffi::{c_char, c_void};

c_enums! {
    PJRT_Callback_Type { Unknown = 0, Tpu_SliceBuilder = 1, Prefatal = 2 }
    /// How a slice failed: as it was set up, a worker gone, a task that came and went, on demand, a chip.
    PJRT_Callback_Tpu_SliceFailureType {
        Unknown = 0, InitError = 1, WorkerUnavailable = 2, FlappingTaskError = 3, SwInjectError = 4,
        ChipDriverError = 5,
    }
}

/// Called with the args of its type.
pub type PJRT_Callback_Function = Option<unsafe extern "C" fn(*mut c_void, UserArg)>;

c_structs! {
    /// What a callback of `Tpu_SliceBuilder` is called with.
    PJRT_Callback_Tpu_SliceBuilderArgs: sized { failure_type: PJRT_Callback_Tpu_SliceFailureType }
    /// What a callback of `Prefatal` is called with. The message lives for the call.
    PJRT_Callback_PrefatalArgs: sized {
        error_code: PJRT_Error_Code, error_message: *const c_char, error_message_size: usize,
    }
    PJRT_Callback_RegisterCallback_Args: sized {
        client: *mut PJRT_Client, r#type: PJRT_Callback_Type, callback: PJRT_Callback_Function,
        user_arg: UserArg,
    }
    /// Calls all that are registered for the type, before it returns.
    PJRT_Callback_InvokeCallback_Args: sized {
        client: *mut PJRT_Client, r#type: PJRT_Callback_Type, args: *mut c_void,
    }
    PJRT_Callback_Extension: extension {
        register_callback: Function<PJRT_Callback_RegisterCallback_Args>,
        invoke_callback: Function<PJRT_Callback_InvokeCallback_Args>,
    }
}
