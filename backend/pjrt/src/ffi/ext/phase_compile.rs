//! Compilation phase by phase.

use crate::ffi::*;
use std::ffi::c_char;

opaque! {
    PJRT_PhaseCompiler
}

c_structs! {
    /// The caller destroys it.
    PJRT_PhaseCompile_Get_Compiler_Args { => phase_compiler: *const PJRT_PhaseCompiler }
    PJRT_PhaseCompile_Destroy_Compiler_Args { phase_compiler: *const PJRT_PhaseCompiler }
    /// Programs are serialized `PjRtPartialProgramProto`s. Outputs go back by `C_Buffers_Destroy`.
    PJRT_PhaseCompile_Run_Phase_Args {
        phase_compiler: *const PJRT_PhaseCompiler,
        input_programs: *mut *const c_char,
        input_programs_sizes: *const usize,
        num_input_programs: usize,
        phases_to_run: *mut *const c_char,
        phases_to_run_sizes: *const usize,
        num_phases_to_run: usize,
        compile_options: *const c_char,
        compile_options_size: usize,
        topology: *mut PJRT_TopologyDescription
        => output_programs: *mut *const c_char, output_programs_sizes: *const usize,
        num_output_programs: usize,
    }
    /// In order; each ends with a zero. They go back by `C_Buffers_Destroy`.
    PJRT_PhaseCompile_Get_PhaseNames_Args {
        phase_compiler: *const PJRT_PhaseCompiler
        => phase_names: *mut *const c_char, phase_names_sizes: *const usize, num_phase_names: usize,
    }
    PJRT_PhaseCompile_C_Buffers_Destroy_Args {
        char_buffers: *mut *const c_char, char_buffer_sizes: *const usize, num_char_buffers: usize,
    }
    PJRT_PhaseCompile_Extension: extension {
        phase_compile_get_compiler: Function<PJRT_PhaseCompile_Get_Compiler_Args>,
        phase_compile_destroy_compiler: Procedure<PJRT_PhaseCompile_Destroy_Compiler_Args>,
        phase_compile_run_phases: Function<PJRT_PhaseCompile_Run_Phase_Args>,
        phase_compile_get_phase_names: Function<PJRT_PhaseCompile_Get_PhaseNames_Args>,
        phase_compile_c_buffers_destroy: Procedure<PJRT_PhaseCompile_C_Buffers_Destroy_Args>,
    }
}
