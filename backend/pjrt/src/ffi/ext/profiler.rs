//! Profiles: an interface of its own, with errors of its own, which an extension points to.

use crate::ffi::*;
use std::ffi::{c_char, c_void};

opaque! {
    PLUGIN_Profiler PLUGIN_Profiler_Error PLUGIN_Profiler_ConsumeResult
}

/// A function of the profiler: takes its args, returns null or an error that the caller owns.
pub type ProfilerFunction<Args> = Option<unsafe extern "C" fn(*mut Args) -> *mut PLUGIN_Profiler_Error>;

c_structs! {
    /// Hung to `PJRT_Api` it says how to profile; hung to args, of which trace the call is a part.
    PJRT_Profiler_Extension: extension {
        /// Null if it hangs to args.
        profiler_api: *mut PLUGIN_Profiler_Api,
        /// Only if it hangs to args.
        traceme_context_id: i64,
    }
    PLUGIN_Profiler_Api: sized {
        r#priv: *mut c_void,
        error_destroy: Procedure<PLUGIN_Profiler_Error_Destroy_Args>,
        error_message: Procedure<PLUGIN_Profiler_Error_Message_Args>,
        error_get_code: ProfilerFunction<PLUGIN_Profiler_Error_GetCode_Args>,
        create: ProfilerFunction<PLUGIN_Profiler_Create_Args>,
        destroy: ProfilerFunction<PLUGIN_Profiler_Destroy_Args>,
        start: ProfilerFunction<PLUGIN_Profiler_Start_Args>,
        stop: ProfilerFunction<PLUGIN_Profiler_Stop_Args>,
        collect_data: ProfilerFunction<PLUGIN_Profiler_CollectData_Args>,
        consume: ProfilerFunction<PLUGIN_Profiler_Consume_Args>,
        consume_result_destroy: Procedure<PLUGIN_Profiler_ConsumeResult_Destroy_Args>,
        serialize: ProfilerFunction<PLUGIN_Profiler_Serialize_Args>,
    }
    /// Null is allowed.
    PLUGIN_Profiler_Error_Destroy_Args: sized { r#priv: *mut c_void, error: *mut PLUGIN_Profiler_Error }
    /// Lives as long as the error.
    PLUGIN_Profiler_Error_Message_Args: sized {
        r#priv: *mut c_void, error: *const PLUGIN_Profiler_Error
        => message: *const c_char, message_size: usize,
    }
    PLUGIN_Profiler_Error_GetCode_Args: sized {
        r#priv: *mut c_void, error: *const PLUGIN_Profiler_Error
        => code: i32,
    }
    /// `options` is a serialized `ProfileOptions`. The caller owns the profiler.
    PLUGIN_Profiler_Create_Args: sized {
        options: *const c_char, options_size: usize
        => profiler: *mut PLUGIN_Profiler,
    }
    PLUGIN_Profiler_Destroy_Args: sized { profiler: *mut PLUGIN_Profiler }
    PLUGIN_Profiler_Start_Args: sized { profiler: *mut PLUGIN_Profiler }
    PLUGIN_Profiler_Stop_Args: sized { profiler: *mut PLUGIN_Profiler }
    /// Asked twice: if `buffer` is null, only the size is set; then a serialized `XSpace` is written there.
    PLUGIN_Profiler_CollectData_Args: sized {
        profiler: *mut PLUGIN_Profiler, buffer: *mut u8
        => buffer_size_in_bytes: usize,
    }
    /// The caller owns the result.
    PLUGIN_Profiler_Consume_Args: sized {
        profiler: *mut PLUGIN_Profiler
        => result: *mut PLUGIN_Profiler_ConsumeResult,
    }
    PLUGIN_Profiler_ConsumeResult_Destroy_Args: sized { consume_result: *mut PLUGIN_Profiler_ConsumeResult }
    /// The bytes live as long as the result.
    PLUGIN_Profiler_Serialize_Args: sized {
        profiler: *mut PLUGIN_Profiler, consume_result: *mut PLUGIN_Profiler_ConsumeResult
        => serialized_bytes: *const u8, serialized_size: usize,
    }
}
