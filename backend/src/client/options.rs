//! How a client asks for compilation: XLA's `CompileOptionsProto`, and the module with its configuration that goes back.
//!
//! Of a message there are the fields that mean something here; the others are passed over.

use super::status::{Result, Status};
use crate::frontend::hlo::proto::schema;
use prost::Message;
pub use schema::{DeviceAssignmentProto, OpSharding, ProgramShapeProto};
use schema::{DeviceAssignmentProtoComputationDevice, HloModuleProto, ShapeProto};

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileOptions {
    /// At least 1.
    pub num_replicas: usize,
    /// At least 1.
    pub num_partitions: usize,
    /// Which device runs what; `None` leaves it to us.
    pub device_assignment: Option<DeviceAssignment>,
    pub use_spmd_partitioning: bool,
    pub use_auto_spmd_partitioning: bool,
    pub use_shardy_partitioner: bool,
    /// Whether a parameter's sharding may become another than the program says: one for each, one for all, or none.
    pub allow_spmd_sharding_propagation_to_parameters: Vec<bool>,
    pub allow_spmd_sharding_propagation_to_output: Vec<bool>,
    /// The arguments come as one tuple.
    pub parameter_is_tupled_arguments: bool,
    /// To run on any device, not on those of an assignment.
    pub compile_portable_executable: bool,
    pub alias_passthrough_params: bool,
    /// Bytes that the program may use; 0 where nothing is said.
    pub device_memory_size: i64,
    /// XLA's levels: 9, 19, 29, 39 for O0 to O3; 0 where nothing is said.
    pub optimization_level: i32,
    pub memory_fitting_level: i32,
    /// The device to compile for; -1 where nothing is said.
    pub device_ordinal: i64,
    pub process_count: i64,
    /// Flags by name, values as text, in order of the names.
    pub env_option_overrides: Vec<(String, String)>,
    /// Shapes of the arguments with their layouts; empty where nothing is said.
    pub argument_layouts: Vec<ShapeProto>,
    pub result_layout: Option<ShapeProto>,
    /// For several slices: somebody's bytes.
    pub multi_slice_config: Vec<u8>,
}

/// Options without the `xla_` of flags. Like those they are taken, and change nothing.
const OTHER_OPTIONS: [&str; 4] =
    ["exec_time_optimization_effort", "memory_fitting_effort", "memory_fitting_level", "optimization_level"];

/// More devices than this are none.
const MOST_DEVICES: usize = 1 << 20;

impl CompileOptions {
    /// Reads the bytes of a `CompileOptionsProto`; none at all are the defaults.
    ///
    /// # Errors
    /// Invalid argument: damaged bytes, or numbers that do not belong together.
    pub fn decode(bytes: &[u8]) -> Result<CompileOptions> {
        let proto = CompileOptionsProto::decode(bytes)
            .map_err(|e| Status::invalid(format!("compile options: not a CompileOptionsProto: {e}")))?;
        let build = proto.executable_build_options.unwrap_or_default();
        // Zero, and XLA's -1, say nothing.
        let count = |n: i64| usize::try_from(n.max(1)).unwrap_or(usize::MAX);
        let (num_replicas, num_partitions) = (count(build.num_replicas), count(build.num_partitions));
        if num_replicas.checked_mul(num_partitions).is_none_or(|n| n > MOST_DEVICES) {
            return Err(Status::invalid(format!(
                "compile options: {num_replicas} replicas of {num_partitions} partitions are more devices than there can be"
            )));
        }
        let device_assignment = build.device_assignment.as_ref().map(DeviceAssignment::read).transpose()?;
        if let Some(a) = &device_assignment
            && (a.replicas, a.partitions) != (num_replicas, num_partitions)
        {
            return Err(Status::invalid(format!(
                "compile options: the device assignment is for {} replicas of {} partitions, the program has \
                 {num_replicas} of {num_partitions}",
                a.replicas, a.partitions
            )));
        }
        let mut overrides: Vec<(String, String)> = Vec::new();
        for OptionOverride { key, value } in proto.env_option_overrides {
            if !key.starts_with("xla_") && !OTHER_OPTIONS.contains(&key.as_str()) {
                return Err(Status::invalid(format!("No such compile option: '{key}'")));
            }
            let value = value.unwrap_or_default().text();
            // As in every map of protocol buffers, the last one counts.
            overrides.retain(|(k, _)| *k != key);
            overrides.push((key, value));
        }
        overrides.sort();
        Ok(CompileOptions {
            num_replicas,
            num_partitions,
            device_assignment,
            use_spmd_partitioning: build.use_spmd_partitioning,
            use_auto_spmd_partitioning: build.use_auto_spmd_partitioning,
            use_shardy_partitioner: build.use_shardy_partitioner,
            allow_spmd_sharding_propagation_to_parameters: build
                .allow_spmd_sharding_propagation_to_parameters,
            allow_spmd_sharding_propagation_to_output: build.allow_spmd_sharding_propagation_to_output,
            parameter_is_tupled_arguments: proto.parameter_is_tupled_arguments,
            compile_portable_executable: proto.compile_portable_executable,
            alias_passthrough_params: build.alias_passthrough_params,
            device_memory_size: build.device_memory_size,
            optimization_level: build.optimization_level,
            memory_fitting_level: build.memory_fitting_level,
            device_ordinal: build.device_ordinal,
            process_count: build.process_count,
            env_option_overrides: overrides,
            argument_layouts: proto.argument_layouts,
            result_layout: build.result_layout,
            multi_slice_config: proto.serialized_multi_slice_config,
        })
    }

    /// The devices that run the program: those assigned, or the first ones.
    pub fn devices(&self) -> DeviceAssignment {
        self.device_assignment
            .clone()
            .unwrap_or_else(|| DeviceAssignment::iota(self.num_replicas, self.num_partitions))
    }
}

/// The device of every replica and partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceAssignment {
    pub replicas: usize,
    pub partitions: usize,
    /// Ids of devices; all partitions of the first replica, then those of the second, …
    ids: Vec<i64>,
}

impl DeviceAssignment {
    /// Device by device, all partitions of a replica side by side.
    ///
    /// # Panics
    /// If the number of ids is not the product.
    pub fn new(replicas: usize, partitions: usize, ids: Vec<i64>) -> DeviceAssignment {
        assert_eq!(replicas.checked_mul(partitions), Some(ids.len()));
        DeviceAssignment { replicas, partitions, ids }
    }

    /// Devices 0, 1, 2, …
    pub fn iota(replicas: usize, partitions: usize) -> DeviceAssignment {
        DeviceAssignment::new(replicas, partitions, (0..(replicas * partitions) as i64).collect())
    }

    pub fn device(&self, replica: usize, partition: usize) -> i64 {
        self.ids[replica * self.partitions + partition]
    }

    /// All partitions of the first replica, then those of the second, …
    pub fn ids(&self) -> &[i64] {
        &self.ids
    }

    /// The replica and partition of a device.
    pub fn logical(&self, device: i64) -> Option<(usize, usize)> {
        let at = self.ids.iter().position(|&id| id == device)?;
        Some((at / self.partitions, at % self.partitions))
    }

    /// # Errors
    /// Invalid argument: not as many devices as it says, or one of them twice.
    pub fn read(proto: &DeviceAssignmentProto) -> Result<DeviceAssignment> {
        let bad = |what: String| Status::invalid(format!("device assignment: {what}"));
        let (replicas, partitions) = (proto.replica_count, proto.computation_count);
        let count = |n: i32| usize::try_from(n).ok().filter(|&n| n > 0);
        let (Some(r), Some(p)) = (count(replicas), count(partitions)) else {
            return Err(bad(format!("{replicas} replicas of {partitions} partitions")));
        };
        let rows = &proto.computation_devices;
        if rows.len() != p || rows.iter().any(|row| row.replica_device_ids.len() != r) {
            return Err(bad(format!("it does not list a device for each of {r} replicas of {p} partitions")));
        }
        let ids: Vec<i64> =
            (0..r).flat_map(|i| rows.iter().map(move |row| row.replica_device_ids[i])).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|w| w[0] == w[1]) {
            return Err(bad(format!("device {} is there twice", twice[0])));
        }
        Ok(DeviceAssignment { replicas: r, partitions: p, ids })
    }

    pub fn write(&self) -> DeviceAssignmentProto {
        let row = |p| DeviceAssignmentProtoComputationDevice {
            replica_device_ids: (0..self.replicas).map(|r| self.device(r, p)).collect(),
        };
        DeviceAssignmentProto {
            replica_count: self.replicas as i32,
            computation_count: self.partitions as i32,
            computation_devices: (0..self.partitions).map(row).collect(),
        }
    }

    /// A serialized `DeviceAssignmentProto`.
    pub fn encode(&self) -> Vec<u8> {
        self.write().encode_to_vec()
    }
}

/// A module and how it was compiled: what clients read as an optimized program of format `hlo_with_config`.
#[derive(Clone, PartialEq, Message)]
pub struct HloModuleProtoWithConfig {
    #[prost(message, optional, tag = "1")]
    pub hlo_module: Option<HloModuleProto>,
    #[prost(message, optional, tag = "2")]
    pub config: Option<HloModuleConfigProto>,
}

/// Clients end their process when `entry_computation_layout` is missing.
#[derive(Clone, PartialEq, Message)]
pub struct HloModuleConfigProto {
    #[prost(message, optional, tag = "1")]
    pub entry_computation_layout: Option<ProgramShapeProto>,
    #[prost(uint64, tag = "2")]
    pub seed: u64,
    #[prost(int32, tag = "3")]
    pub launch_id: i32,
    #[prost(int64, tag = "4")]
    pub replica_count: i64,
    #[prost(int64, tag = "5")]
    pub num_partitions: i64,
    #[prost(bool, tag = "7")]
    pub use_spmd_partitioning: bool,
    #[prost(string, tag = "13")]
    pub device_type: String,
    #[prost(message, optional, tag = "15")]
    pub static_device_assignment: Option<DeviceAssignmentProto>,
    #[prost(bool, tag = "17")]
    pub alias_passthrough_params: bool,
    #[prost(bool, repeated, tag = "27")]
    pub allow_spmd_sharding_propagation_to_output: Vec<bool>,
    #[prost(int64, tag = "32")]
    pub device_memory_size: i64,
    #[prost(bool, repeated, tag = "33")]
    pub allow_spmd_sharding_propagation_to_parameters: Vec<bool>,
    #[prost(bool, tag = "34")]
    pub use_shardy_partitioner: bool,
}

impl HloModuleConfigProto {
    /// What the options say of it.
    pub fn new(
        options: &CompileOptions,
        entry_computation_layout: ProgramShapeProto,
    ) -> HloModuleConfigProto {
        HloModuleConfigProto {
            entry_computation_layout: Some(entry_computation_layout),
            seed: 0,
            launch_id: 0,
            replica_count: options.num_replicas as i64,
            num_partitions: options.num_partitions as i64,
            use_spmd_partitioning: options.use_spmd_partitioning,
            device_type: "tpu".into(),
            static_device_assignment: options.device_assignment.as_ref().map(DeviceAssignment::write),
            alias_passthrough_params: options.alias_passthrough_params,
            allow_spmd_sharding_propagation_to_output: options
                .allow_spmd_sharding_propagation_to_output
                .clone(),
            device_memory_size: options.device_memory_size,
            allow_spmd_sharding_propagation_to_parameters: options
                .allow_spmd_sharding_propagation_to_parameters
                .clone(),
            use_shardy_partitioner: options.use_shardy_partitioner,
        }
    }
}

/// `xla/pjrt/proto/compile_options.proto`.
#[derive(Clone, PartialEq, Message)]
struct CompileOptionsProto {
    #[prost(message, repeated, tag = "1")]
    argument_layouts: Vec<ShapeProto>,
    #[prost(bool, tag = "2")]
    parameter_is_tupled_arguments: bool,
    #[prost(message, optional, tag = "3")]
    executable_build_options: Option<ExecutableBuildOptionsProto>,
    #[prost(bool, tag = "4")]
    compile_portable_executable: bool,
    #[prost(bytes = "vec", tag = "6")]
    serialized_multi_slice_config: Vec<u8>,
    /// A map: entries in any order.
    #[prost(message, repeated, tag = "7")]
    env_option_overrides: Vec<OptionOverride>,
}

#[derive(Clone, PartialEq, Message)]
struct ExecutableBuildOptionsProto {
    #[prost(int64, tag = "1")]
    device_ordinal: i64,
    #[prost(message, optional, tag = "2")]
    result_layout: Option<ShapeProto>,
    #[prost(int64, tag = "4")]
    num_replicas: i64,
    #[prost(int64, tag = "5")]
    num_partitions: i64,
    #[prost(bool, tag = "6")]
    use_spmd_partitioning: bool,
    #[prost(bool, tag = "7")]
    use_auto_spmd_partitioning: bool,
    #[prost(message, optional, tag = "9")]
    device_assignment: Option<DeviceAssignmentProto>,
    #[prost(bool, tag = "10")]
    alias_passthrough_params: bool,
    #[prost(bool, repeated, tag = "12")]
    allow_spmd_sharding_propagation_to_output: Vec<bool>,
    #[prost(int64, tag = "15")]
    device_memory_size: i64,
    #[prost(bool, repeated, tag = "18")]
    allow_spmd_sharding_propagation_to_parameters: Vec<bool>,
    #[prost(bool, tag = "19")]
    use_shardy_partitioner: bool,
    #[prost(int64, tag = "23")]
    process_count: i64,
    #[prost(int32, tag = "24")]
    optimization_level: i32,
    #[prost(int32, tag = "25")]
    memory_fitting_level: i32,
}

#[derive(Clone, PartialEq, Message)]
struct OptionOverride {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(message, optional, tag = "2")]
    value: Option<OptionOverrideProto>,
}

#[derive(Clone, PartialEq, Message)]
struct OptionOverrideProto {
    #[prost(oneof = "OptionValue", tags = "1, 2, 3, 4")]
    value: Option<OptionValue>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum OptionValue {
    #[prost(string, tag = "1")]
    String(String),
    #[prost(bool, tag = "2")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    Int(i64),
    #[prost(double, tag = "4")]
    Double(f64),
}

impl OptionOverrideProto {
    /// As a command line would have it.
    fn text(self) -> String {
        match self.value {
            Some(OptionValue::String(s)) => s,
            Some(OptionValue::Bool(b)) => b.to_string(),
            Some(OptionValue::Int(n)) => n.to_string(),
            Some(OptionValue::Double(x)) => x.to_string(),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests;
