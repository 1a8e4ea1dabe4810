//! Compiled programs: what a client may ask about them.

use crate::calls::device::give;
use crate::entry::functions;
use crate::ffi::ext::layouts::PJRT_Layouts_MemoryLayout;
use crate::ffi::*;
use crate::handle::{Bytes, Handle, Pointer, delete_bytes};
use crate::values::{NamedValues, Texts, buffer_type};
use backend::client::layout;
use backend::client::program::{Port, Program};
use backend::client::status::{Result, Status};
use std::sync::{Arc, OnceLock};

/// What C holds of a program; lists are made when they are asked for.
pub struct ExecutableHandle {
    pub program: Arc<Program>,
    outputs: OnceLock<Outputs>,
    cost: OnceLock<Result<NamedValues>>,
    optimized: OnceLock<Result<Vec<u8>>>,
    parameter_kinds: OnceLock<Texts>,
    pub(crate) shardings: [OnceLock<Result<Texts>>; 2],
    pub(crate) layouts: [OnceLock<Layouts>; 2],
}

/// Layouts that C reads, owned by a program.
pub struct Layouts {
    _owned: Box<[LayoutHandle]>,
    pub pointers: Box<[Pointer<PJRT_Layouts_MemoryLayout>]>,
}

/// A layout as HLO's text.
pub struct LayoutHandle(pub String);

// SAFETY: only `LayoutHandle`s are given out as this type.
unsafe impl Handle for LayoutHandle {
    type C = PJRT_Layouts_MemoryLayout;
    const WHAT: &'static str = "the layout";
}

impl Layouts {
    pub fn of(ports: &[Port]) -> Layouts {
        let owned: Box<[LayoutHandle]> =
            ports.iter().map(|p| LayoutHandle(layout::to_text(&p.ty.layout))).collect();
        Layouts { pointers: owned.iter().map(|l| Pointer(l.as_raw())).collect(), _owned: owned }
    }
}

struct Outputs {
    types: Box<[PJRT_Buffer_Type]>,
    dims: Box<[i64]>,
    dim_sizes: Box<[usize]>,
    kinds: Texts,
}

// SAFETY: only `ExecutableHandle`s are given out as this type.
unsafe impl Handle for ExecutableHandle {
    type C = PJRT_Executable;
    const WHAT: &'static str = "the executable";
}

impl ExecutableHandle {
    pub fn new(program: Arc<Program>) -> ExecutableHandle {
        ExecutableHandle {
            program,
            outputs: OnceLock::new(),
            cost: OnceLock::new(),
            optimized: OnceLock::new(),
            parameter_kinds: OnceLock::new(),
            shardings: [const { OnceLock::new() }; 2],
            layouts: [const { OnceLock::new() }; 2],
        }
    }

    fn outputs(&self) -> &Outputs {
        self.outputs.get_or_init(|| {
            let results = &self.program.results;
            Outputs {
                types: results
                    .iter()
                    .map(|p| if p.token { PJRT_Buffer_Type::TOKEN } else { buffer_type(p.ty.element) })
                    .collect(),
                dims: results.iter().flat_map(|p| p.ty.dims.iter().copied()).collect(),
                dim_sizes: results.iter().map(|p| p.ty.dims.len()).collect(),
                kinds: Texts::new(results.iter().map(|p| p.kind.name())),
            }
        })
    }
}

functions! {
    fn PJRT_Executable_Destroy(args: PJRT_Executable_Destroy_Args) {
        ExecutableHandle::destroy(args.executable);
    }

    fn PJRT_Executable_Name(args: PJRT_Executable_Name_Args) {
        give!(&ExecutableHandle::borrow(args.executable)?.program.name => args.executable_name, executable_name_size);
    }

    fn PJRT_Executable_NumReplicas(args: PJRT_Executable_NumReplicas_Args) {
        args.num_replicas = ExecutableHandle::borrow(args.executable)?.program.grid.replicas;
    }

    fn PJRT_Executable_NumPartitions(args: PJRT_Executable_NumPartitions_Args) {
        args.num_partitions = ExecutableHandle::borrow(args.executable)?.program.grid.partitions;
    }

    fn PJRT_Executable_NumOutputs(args: PJRT_Executable_NumOutputs_Args) {
        args.num_outputs = ExecutableHandle::borrow(args.executable)?.program.results.len();
    }

    fn PJRT_Executable_SizeOfGeneratedCodeInBytes(args: PJRT_Executable_SizeOfGeneratedCodeInBytes_Args) {
        // What runs is the program as it came.
        args.size_in_bytes = ExecutableHandle::borrow(args.executable)?.program.source.len() as i64;
    }

    fn PJRT_Executable_Fingerprint(args: PJRT_Executable_Fingerprint_Args) {
        let program = &ExecutableHandle::borrow(args.executable)?.program;
        give!(&program.fingerprint => args.executable_fingerprint, executable_fingerprint_size);
    }

    fn PJRT_Executable_OutputElementTypes(args: PJRT_Executable_OutputElementTypes_Args) {
        let types = &ExecutableHandle::borrow(args.executable)?.outputs().types;
        (args.output_types, args.num_output_types) = (types.as_ptr().cast_mut(), types.len());
    }

    fn PJRT_Executable_OutputDimensions(args: PJRT_Executable_OutputDimensions_Args) {
        let outputs = ExecutableHandle::borrow(args.executable)?.outputs();
        args.num_outputs = outputs.dim_sizes.len();
        (args.dims, args.dim_sizes) = (outputs.dims.as_ptr(), outputs.dim_sizes.as_ptr());
    }

    fn PJRT_Executable_OutputMemoryKinds(args: PJRT_Executable_OutputMemoryKinds_Args) {
        let kinds = &ExecutableHandle::borrow(args.executable)?.outputs().kinds;
        args.num_outputs = kinds.count();
        (args.memory_kinds, args.memory_kind_sizes) = (kinds.pointers(), kinds.sizes());
    }

    fn PJRT_Executable_ParameterMemoryKinds(args: PJRT_Executable_ParameterMemoryKinds_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let parameters = &executable.program.parameters;
        let kinds = executable.parameter_kinds.get_or_init(|| Texts::new(parameters.iter().map(|p| p.kind.name())));
        args.num_parameters = kinds.count();
        (args.memory_kinds, args.memory_kind_sizes) = (kinds.pointers(), kinds.sizes());
    }

    fn PJRT_Executable_GetCostAnalysis(args: PJRT_Executable_GetCostAnalysis_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let cost = executable.cost.get_or_init(|| Ok(NamedValues::new(executable.program.cost_analysis())));
        let cost = cost.as_ref().map_err(Status::clone)?;
        (args.properties, args.num_properties) = (cost.as_ptr(), cost.count());
    }

    fn PJRT_Executable_GetCompiledMemoryStats(args: PJRT_Executable_GetCompiledMemoryStats_Args) {
        let stats = ExecutableHandle::borrow(args.executable)?.program.memory_stats();
        let int = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        args.generated_code_size_in_bytes = int(stats.code);
        args.argument_size_in_bytes = int(stats.device.arguments);
        args.output_size_in_bytes = int(stats.device.results);
        args.alias_size_in_bytes = int(stats.device.aliased);
        args.temp_size_in_bytes = int(stats.device.temporaries);
        args.host_generated_code_size_in_bytes = 0;
        args.indefinite_allocations = 0;
        args.host_argument_size_in_bytes = int(stats.host.arguments);
        args.host_output_size_in_bytes = int(stats.host.results);
        args.host_alias_size_in_bytes = int(stats.host.aliased);
        args.host_temp_size_in_bytes = int(stats.host.temporaries);
        args.peak_memory_in_bytes = int(stats.peak());
        args.total_size_in_bytes = int(stats.peak());
        args.total_allocation_bytes = int(stats.peak());
        args.peak_unpadded_heap_bytes = int(stats.device.temporaries);
    }

    fn PJRT_Executable_OptimizedProgram(args: PJRT_Executable_OptimizedProgram_Args) {
        let executable = ExecutableHandle::borrow(args.executable)?;
        let bytes = executable.optimized.get_or_init(|| executable.program.optimized_hlo());
        let bytes = bytes.as_ref().map_err(Status::clone)?;
        let program = args.program.as_mut().ok_or_else(|| Status::invalid("program is null"))?;
        const FORMAT: &str = "hlo_with_config";
        (program.format, program.format_size) = (FORMAT.as_ptr().cast(), FORMAT.len());
        if program.code.is_null() {
            program.code_size = bytes.len();
            return Ok(());
        }
        if program.code_size < bytes.len() {
            return Err(Status::invalid(format!(
                "the program takes {} bytes, and there is room for {}",
                bytes.len(),
                program.code_size
            )));
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), program.code.cast::<u8>(), bytes.len());
        program.code_size = bytes.len();
    }

    fn PJRT_Executable_Serialize(args: PJRT_Executable_Serialize_Args) {
        let bytes = ExecutableHandle::borrow(args.executable)?.program.serialize();
        (args.serialized_bytes, args.serialized_bytes_size, args.serialized_executable) = Bytes::give(bytes);
        args.serialized_executable_deleter = Some(delete_bytes);
    }

    fn PJRT_Executable_GetCompileOptions(args: PJRT_Executable_GetCompileOptions_Args) {
        let bytes = ExecutableHandle::borrow(args.executable)?.program.option_bytes.to_vec();
        (args.serialized_bytes, args.serialized_bytes_size, args.serialized_compile_options) = Bytes::give(bytes);
        args.serialized_compile_options_deleter = Some(delete_bytes);
    }
}
