//! Profiles.

use crate::ffi::*;

opaque! {
    PLUGIN_Profiler_Api
}

c_structs! {
    /// Hung to `PJRT_Api` it says how to profile; hung to args, of which trace the call is a part.
    PJRT_Profiler_Extension: extension {
        /// Null if it hangs to args.
        profiler_api: *mut PLUGIN_Profiler_Api,
        /// Only if it hangs to args.
        traceme_context_id: i64,
    }
}
