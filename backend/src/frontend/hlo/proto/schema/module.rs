//! Modules, what surrounds them in files, and the parts of a module beside its instructions.

use super::device::OpSharding;
use super::enums::*;
use super::instruction::{FrontendAttributes, HloInstructionProto};
use super::shape::{LiteralProto, ProgramShapeProto};
use crate::frontend::hlo::proto::message::messages;

messages! {
    /// A module.
    HloModuleProto {
        1 name: string,
        2 entry_computation_name: string,
        3 computations: repeated message HloComputationProto,
        4 host_program_shape: message ProgramShapeProto,
        5 id: int64,
        6 entry_computation_id: int64,
        7 schedule: message HloScheduleProto,
        8 input_output_alias: message HloInputOutputAliasProto,
        10 cross_program_prefetches: repeated message CrossProgramPrefetch,
        11 is_dynamic: bool,
        12 spmd_output_sharding: message OpSharding,
        14 spmd_parameters_shardings: repeated message OpSharding,
        15 device_assignment: message DeviceAssignmentProto,
        16 use_auto_spmd_partitioning: bool,
        17 stack_frame_index: message StackFrameIndexProto,
        18 buffer_donor: message HloBufferDonorProto,
        19 frontend_attributes: message FrontendAttributes,
        21 device_type: string,
        22 payloads: repeated bytes,
        23 pjrt_id: optional int64,
        25 backend_config: bytes,
    }

    /// A computation, callees before callers.
    HloComputationProto {
        1 name: string,
        2 instructions: repeated message HloInstructionProto,
        4 program_shape: message ProgramShapeProto,
        5 id: int64,
        6 root_id: int64,
        7 is_fusion_computation: bool,
        8 execution_thread: string,
        9 backend_config: bytes,
    }

    HloScheduleProto {
        1 sequences: repeated message HloScheduleProtoSequencesEntry,
    }

    HloScheduleProtoSequencesEntry {
        1 key: int64,
        2 value: message HloScheduleProtoInstructionSequence,
    }

    HloScheduleProtoInstructionSequence {
        1 instruction_ids: repeated int64,
    }

    HloInputOutputAliasProto {
        1 entries: repeated message HloInputOutputAliasProtoAliasEntryProto,
    }

    HloInputOutputAliasProtoAliasEntryProto {
        1 output_shape_index: repeated int64,
        2 parameter_number: int64,
        3 parameter_shape_index: repeated int64,
        4 kind: enum KIND,
    }

    HloBufferDonorProto {
        1 entries: repeated message HloBufferDonorProtoBufferDonorEntryProto,
    }

    HloBufferDonorProtoBufferDonorEntryProto {
        1 parameter_number: int64,
        2 parameter_shape_index: repeated int64,
    }

    CrossProgramPrefetch {
        1 parameter: int64,
        2 index: repeated int64,
        3 offset: int64,
    }

    StackFrameIndexProto {
        1 file_names: repeated string,
        2 function_names: repeated string,
        3 file_locations: repeated message StackFrameIndexProtoFileLocation,
        4 stack_frames: repeated message StackFrameIndexProtoStackFrame,
    }

    StackFrameIndexProtoFileLocation {
        1 file_name_id: int32,
        2 function_name_id: int32,
        3 line: int32,
        4 column: int32,
        5 end_line: int32,
        6 end_column: int32,
    }

    StackFrameIndexProtoStackFrame {
        1 file_location_id: int32,
        2 parent_frame_id: int32,
    }

    DeviceAssignmentProto {
        1 replica_count: int32,
        2 computation_count: int32,
        3 computation_devices: repeated message DeviceAssignmentProtoComputationDevice,
    }

    DeviceAssignmentProtoComputationDevice {
        1 replica_device_ids: repeated int64,
    }

    /// A module, in XLA's dumps beside its buffer assignment.
    HloProto {
        1 hlo_module: message HloModuleProto,
    }

    /// A module with the arguments and the result of a run.
    HloSnapshot {
        1 hlo: message HloProto,
        2 arguments: repeated message LiteralProto,
        3 result: message LiteralProto,
        4 execution_platform: string,
    }

    HloInputs {
        1 arguments: repeated message LiteralProto,
        2 arguments_descriptors: repeated message HloInputsLiteralDescriptor,
    }

    HloInputsLiteralDescriptor {
        1 version: int32,
        2 argument_size_bytes: uint64,
    }

    /// A module before optimization, with the arguments of every partition.
    HloUnoptimizedSnapshot {
        1 hlo_module: message HloModuleProto,
        2 partitions: repeated message HloInputs,
        3 version: int32,
    }
}
