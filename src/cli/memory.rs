//! The `memory` part of the JSON summary: what was alive when a run took most, and how much the
//! process took for it.

use backend::frontend::Source;
use backend::runtime::memory::{LiveValue, PeakMemory, Role};
use serde_json::{Value as Json, json};
use sim_core::{Loc, Span};

/// Memory of one run.
#[derive(Default)]
pub struct MemoryReport {
    /// Bytes of all inputs, and of all outputs.
    pub inputs: u64,
    pub outputs: u64,
    /// What was alive at the peak: the object of docs/run-summary.md.
    pub peak: Option<Json>,
}

impl MemoryReport {
    pub fn json(&self) -> Json {
        json!({
            "inputs_bytes": self.inputs,
            "outputs_bytes": self.outputs,
            "peak_resident_bytes": peak_resident(),
            "at_peak": self.peak,
        })
    }
}

/// The most that Linux kept in memory of this process so far, its code included.
fn peak_resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// `inputs`: the names of the entry's parameters.
pub fn at_peak(peak: &PeakMemory, source: &Source, inputs: &[String]) -> Json {
    let sum = |role: Role| -> u64 { peak.values.iter().filter(|v| v.role == role).map(|v| v.bytes).sum() };
    json!({
        "bytes": peak.bytes,
        "operation": peak.op,
        "line": line(source, Some(peak.span)),
        "location": location(&peak.loc),
        "arguments_bytes": sum(Role::Argument),
        "results_bytes": sum(Role::Output),
        "temporaries_bytes": sum(Role::Temporary),
        "unlisted_bytes": peak.others,
        "scratch_bytes": peak.rest,
        "largest": peak.values.iter().map(|v| value(v, source, inputs)).collect::<Vec<_>>(),
    })
}

fn value(v: &LiveValue, source: &Source, inputs: &[String]) -> Json {
    let role = match v.role {
        Role::Argument => "argument",
        Role::Output => "result",
        Role::Temporary => "temporary",
    };
    json!({
        "bytes": v.bytes,
        "type": v.ty.to_string(),
        "role": role,
        "name": v.argument.and_then(|i| inputs.get(i)),
        "operation": v.op,
        "line": line(source, v.span),
        "location": location(&v.loc),
    })
}

fn line(source: &Source, span: Option<Span>) -> Option<u32> {
    span.filter(|s| s.end > 0 && source.encoding().is_text()).map(|s| source.line_col(s.start).0)
}

/// `model.py:12` if the module says so; else what it says.
fn location(loc: &Loc) -> Option<String> {
    match loc.file_line() {
        Some((file, line, _)) => Some(format!("{file}:{line}")),
        None => (!loc.is_unknown()).then(|| loc.to_string()),
    }
}
