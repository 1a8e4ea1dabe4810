//! How the parameters and outputs of an executable are cut over the devices.

use crate::ffi::*;
use std::ffi::c_char;

c_structs! {
    /// Serialized `OpSharding`s, owned by the executable; null if they are not known.
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
        executable: *mut PJRT_Executable
        => num_parameters: usize, shardings: *const *const c_char, sharding_sizes: *const usize,
    }
    /// Serialized `OpSharding`s, owned by the executable; null if they are not known.
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
        executable: *mut PJRT_Executable
        => num_outputs: usize, shardings: *const *const c_char, sharding_sizes: *const usize,
    }
    PJRT_Shardings_Extension: extension {
        PJRT_Shardings_PJRT_Executable_ParameterShardings:
            Function<PJRT_Shardings_PJRT_Executable_ParameterShardings_Args>,
        PJRT_Shardings_PJRT_Executable_OutputShardings:
            Function<PJRT_Shardings_PJRT_Executable_OutputShardings_Args>,
    }
}
