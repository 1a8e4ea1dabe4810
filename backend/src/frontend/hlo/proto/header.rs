//! What a module says before its computations, and the metadata of instructions.

use super::attributes::call::{read_dict, write_dict};
use super::schema::*;
use super::shape;
use sim_core::hlo::module::{FileLocation, StackFrame};
use sim_core::hlo::{AliasEntry, Attr, HloModule, Key, Metadata, ParameterLayouts, StackTables, Value};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

pub(super) fn read_attrs(m: &HloModuleProto) -> Result<Vec<Attr>> {
    let mut attrs = Vec::new();
    let mut push = |key, value| attrs.push(Attr { key, value });
    if m.schedule.is_some() {
        push(Key::IsScheduled, Value::Bool(true));
    }
    if let Some(alias) = &m.input_output_alias
        && !alias.entries.is_empty()
    {
        let mut entries = Vec::new();
        for e in &alias.entries {
            let kind = match KIND.name(e.kind) {
                Some("MUST_ALIAS") => "must-alias",
                Some(_) => "may-alias",
                None => return Err(Diagnostic::malformed(format!("{} is no `kind` of alias", e.kind))),
            };
            entries.push(AliasEntry {
                output: e.output_shape_index.clone(),
                parameter: e.parameter_number,
                path: e.parameter_shape_index.clone(),
                kind: Some(kind.into()),
            });
        }
        push(Key::InputOutputAlias, Value::Aliases(entries.into()));
    }
    if let Some(donor) = &m.buffer_donor
        && !donor.entries.is_empty()
    {
        let entries = donor.entries.iter().map(|e| AliasEntry {
            parameter: e.parameter_number,
            path: e.parameter_shape_index.clone(),
            ..AliasEntry::default()
        });
        push(Key::BufferDonor, Value::Aliases(entries.collect()));
    }
    if let Some(program) = &m.host_program_shape {
        let layouts = ParameterLayouts {
            parameters: program.parameters.iter().map(shape::read).collect::<Result<_>>()?,
            result: shape::required(program.result.as_deref(), "host_program_shape.result")?,
        };
        push(Key::EntryComputationLayout, Value::Layouts(Box::new(layouts)));
    }
    if let Some(devices) = &m.device_assignment
        && devices.replica_count > 0
        && devices.computation_count > 0
    {
        push(Key::ReplicaCount, Value::Int(devices.replica_count.into()));
        push(Key::NumPartitions, Value::Int(devices.computation_count.into()));
    }
    if let Some(f) = &m.frontend_attributes
        && !f.map.is_empty()
    {
        push(Key::FrontendAttributes, read_dict(f));
    }
    Ok(attrs)
}

pub(super) fn write_attrs(m: &HloModule, proto: &mut HloModuleProto) -> Result<()> {
    for attr in &m.attrs {
        match (&attr.key, &attr.value) {
            (Key::InputOutputAlias, Value::Aliases(entries)) => {
                let kind = |kind: Option<&str>| match kind {
                    Some("must-alias") => "MUST_ALIAS",
                    _ => "MAY_ALIAS",
                };
                let entry = |e: &AliasEntry| HloInputOutputAliasProtoAliasEntryProto {
                    output_shape_index: e.output.clone(),
                    parameter_number: e.parameter,
                    parameter_shape_index: e.path.clone(),
                    kind: KIND.number(kind(e.kind.as_deref())).unwrap_or_default(),
                };
                let entries = entries.iter().map(entry).collect();
                proto.input_output_alias = Some(Box::new(HloInputOutputAliasProto { entries }));
            }
            (Key::BufferDonor, Value::Aliases(entries)) => {
                let entry = |e: &AliasEntry| HloBufferDonorProtoBufferDonorEntryProto {
                    parameter_number: e.parameter,
                    parameter_shape_index: e.path.clone(),
                };
                let entries = entries.iter().map(entry).collect();
                proto.buffer_donor = Some(Box::new(HloBufferDonorProto { entries }));
            }
            (Key::EntryComputationLayout, Value::Layouts(l)) => {
                proto.host_program_shape = Some(Box::new(ProgramShapeProto {
                    parameters: l.parameters.iter().map(|s| shape::write(s)).collect(),
                    result: Some(Box::new(shape::write(&l.result))),
                    parameter_names: parameter_names(m.entry()),
                }));
            }
            (Key::FrontendAttributes, Value::Dict(items)) => proto.frontend_attributes = Some(write_dict(items)),
            // How the module is to be compiled: no part of the proto, as XLA has it.
            (Key::AllowSpmdToOutput | Key::AllowSpmdToParameters | Key::AliasPassthroughParams, _)
            // Said by what follows.
            | (Key::IsScheduled | Key::ReplicaCount | Key::NumPartitions, _) => {}
            (key, _) => {
                return Err(Diagnostic::unsupported(format!("no field of a protocol buffer holds `{}`", key.name())));
            }
        }
    }
    let (replicas, partitions) = (m.count(&Key::ReplicaCount), m.count(&Key::NumPartitions));
    if (replicas, partitions) != (1, 1) {
        proto.device_assignment = Some(Box::new(devices(replicas, partitions)?));
    }
    Ok(())
}

pub(super) fn parameter_names(c: &sim_core::hlo::Computation) -> Vec<String> {
    c.parameters().into_iter().flatten().map(|id| c.instruction(id).name.to_string()).collect()
}

/// The most devices that a proto lists one by one.
const DEVICES: i64 = 1 << 20;

/// As many devices as the module is for, in order: the one place of a proto that says how many.
fn devices(replicas: i64, partitions: i64) -> Result<DeviceAssignmentProto> {
    let all = replicas.checked_mul(partitions).filter(|n| (1..=DEVICES).contains(n) && replicas > 0);
    if all.is_none() {
        return Err(Diagnostic::unsupported(format!(
            "{replicas} replicas of {partitions} partitions: 1 to {DEVICES} devices can be written"
        )));
    }
    let row = |p: i64| (0..replicas).map(|r| r * partitions + p).collect();
    let rows = (0..partitions).map(|p| DeviceAssignmentProtoComputationDevice { replica_device_ids: row(p) });
    Ok(DeviceAssignmentProto {
        replica_count: replicas as i32,
        computation_count: partitions as i32,
        computation_devices: rows.collect(),
    })
}

pub(super) fn read_tables(t: &StackFrameIndexProto) -> StackTables {
    let names = |names: &[String]| names.iter().map(|n| n.as_str().into()).collect();
    StackTables {
        file_names: names(&t.file_names),
        function_names: names(&t.function_names),
        locations: t
            .file_locations
            .iter()
            .map(|l| FileLocation {
                file_name_id: l.file_name_id.into(),
                function_name_id: l.function_name_id.into(),
                line: l.line.into(),
                end_line: l.end_line.into(),
                column: l.column.into(),
                end_column: l.end_column.into(),
            })
            .collect(),
        // The text counts from one more.
        frames: t
            .stack_frames
            .iter()
            .map(|f| StackFrame {
                file_location_id: f.file_location_id.into(),
                parent_frame_id: i64::from(f.parent_frame_id) + 1,
            })
            .collect(),
    }
}

pub(super) fn write_tables(t: &StackTables) -> Option<Box<StackFrameIndexProto>> {
    if *t == StackTables::default() {
        return None;
    }
    let names = |names: &[Arc<str>]| names.iter().map(|n| n.to_string()).collect();
    Some(Box::new(StackFrameIndexProto {
        file_names: names(&t.file_names),
        function_names: names(&t.function_names),
        file_locations: t
            .locations
            .iter()
            .map(|l| StackFrameIndexProtoFileLocation {
                file_name_id: narrow(l.file_name_id),
                function_name_id: narrow(l.function_name_id),
                line: narrow(l.line),
                column: narrow(l.column),
                end_line: narrow(l.end_line),
                end_column: narrow(l.end_column),
            })
            .collect(),
        stack_frames: t
            .frames
            .iter()
            .map(|f| StackFrameIndexProtoStackFrame {
                file_location_id: narrow(f.file_location_id),
                parent_frame_id: narrow(f.parent_frame_id.saturating_sub(1)),
            })
            .collect(),
    }))
}

fn narrow(n: i64) -> i32 {
    i32::try_from(n).unwrap_or(0)
}

pub(super) fn read_metadata(m: &OpMetadata) -> Option<Box<Metadata>> {
    let text = |s: &str| (!s.is_empty()).then(|| Arc::from(s));
    let read = Metadata {
        op_type: text(&m.op_type),
        op_name: text(&m.op_name),
        source_file: text(&m.source_file),
        source_line: m.source_line.into(),
        source_end_line: m.source_end_line.into(),
        source_column: m.source_column.into(),
        source_end_column: m.source_end_column.into(),
        stack_frame_id: m.stack_frame_id.into(),
        deduplicated_name: text(&m.deduplicated_name),
        scheduling_name: text(&m.scheduling_name),
        profile_type: m.profile_type.first().map(|&n| n.into()),
        preserve_layout: false,
        other: Vec::new(),
    };
    (read != Metadata::default()).then(|| Box::new(read))
}

pub(super) fn write_metadata(m: &Metadata) -> OpMetadata {
    let text = |s: &Option<Arc<str>>| s.as_deref().unwrap_or_default().to_owned();
    OpMetadata {
        op_type: text(&m.op_type),
        op_name: text(&m.op_name),
        source_file: text(&m.source_file),
        source_line: narrow(m.source_line),
        profile_type: m.profile_type.map(narrow).into_iter().collect(),
        deduplicated_name: text(&m.deduplicated_name),
        stack_frame_id: narrow(m.stack_frame_id),
        scheduling_name: text(&m.scheduling_name),
        source_end_line: narrow(m.source_end_line),
        source_column: narrow(m.source_column),
        source_end_column: narrow(m.source_end_column),
        ..OpMetadata::default()
    }
}
