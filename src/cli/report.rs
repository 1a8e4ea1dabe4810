//! What a run reports: text for people, and the JSON object `tpusim.run/1` (docs/run-summary.md).

use super::devices::DeviceReport;
use super::memory::MemoryReport;
use super::timing::{DeviceMemory, TimingReport, timing_json};
use super::{Failure, emit};
use crate::diagnostics::kind_name;
use crate::values::compare::{Comparison, Element};
use crate::values::{Scalar, display, scalar};
use backend::runtime::Value;
use serde_json::{Value as Json, json};
use sim_core::{Diagnostic, Tensor, Type};
use std::fmt::Write as _;

/// Values are in the JSON object up to this many elements an output; `--outputs` has them all.
const JSON_VALUES: usize = 1000;

/// One output tensor.
#[derive(Clone)]
pub struct Output {
    pub name: String,
    pub tensor: Tensor,
    /// As declared, with the sizes that only the run knows filled in.
    pub ty: Type,
}

impl Output {
    pub fn new(name: String, tensor: Tensor, declared: Option<&Type>) -> Output {
        let ty = match declared {
            Some(ty) if ty.as_tensor().is_some_and(|t| t.is_static()) => ty.clone(),
            _ => tensor.ty(),
        };
        Output { name, tensor, ty }
    }
}

/// Outcome of `--expect` for one output.
pub enum Expectation {
    /// Another type or shape than expected.
    Misfit {
        output: String,
        reason: String,
    },
    Compared {
        output: String,
        comparison: Comparison,
    },
}

impl Expectation {
    pub fn passed(&self) -> bool {
        matches!(self, Expectation::Compared { comparison, .. } if comparison.failed == 0)
    }

    /// One line that says it all.
    pub fn text(&self) -> String {
        match self {
            Expectation::Misfit { output, reason } => format!("{output} is not as expected: {reason}"),
            Expectation::Compared { output, comparison: c } if c.failed == 0 => format!(
                "{output} is as expected: {} elements, largest difference {:.2e} ({} ULP)",
                c.total, c.max_abs, c.max_ulps
            ),
            Expectation::Compared { output, comparison: c } => {
                let mut text =
                    format!("{output} is not as expected: {} of {} elements differ", c.failed, c.total);
                if let Some(first) = &c.first {
                    let _ = write!(text, "\n  first: {}", element_text(output, first));
                }
                if let Some(worst) = &c.worst
                    && c.worst != c.first
                {
                    let _ = write!(text, "\n  worst: {}", element_text(output, worst));
                }
                text
            }
        }
    }

    fn json(&self) -> Json {
        match self {
            Expectation::Misfit { output, reason } => {
                json!({ "output": output, "passed": false, "reason": reason })
            }
            Expectation::Compared { output, comparison: c } => json!({
                "output": output,
                "passed": c.failed == 0,
                "elements": c.total,
                "failed_elements": c.failed,
                "max_abs_difference": number(c.max_abs),
                "max_ulps": c.max_ulps,
                "first": c.first.as_ref().map(element_json),
                "worst": c.worst.as_ref().map(element_json),
            }),
        }
    }
}

fn element_text(output: &str, e: &Element) -> String {
    let apart = match e.ulps {
        Some(1) => "1 ULP apart".to_owned(),
        Some(n) => format!("{n} ULPs apart"),
        None => "one of them is not a number".to_owned(),
    };
    format!("{output}{:?} is {}, expected {}, {apart}", e.index, e.actual, e.expected)
}

fn element_json(e: &Element) -> Json {
    json!({ "index": e.index, "actual": e.actual, "expected": e.expected, "ulps": e.ulps })
}

/// The outputs as text: `name: type`, then the values.
pub fn print_outputs(entry: &str, outputs: &[Output]) -> Result<(), Diagnostic> {
    if outputs.is_empty() {
        emit(format_args!("@{entry} ran to its end; it has no outputs"))?;
    }
    for output in outputs {
        let values = display::array(&output.tensor);
        emit(format_args!("{}: {}\n{values}", output.name, output.ty))?;
    }
    Ok(())
}

/// A value that the program itself prints.
pub fn value_text(value: &Value, ty: &Type) -> String {
    let texts: Vec<String> = value.leaves().into_iter().map(display::array).collect();
    format!("{ty}\n{}", texts.join("\n"))
}

/// One module's run, as far as it came.
#[derive(Default)]
pub struct RunReport {
    pub part: usize,
    pub entry: String,
    pub inputs: Vec<(String, Type)>,
    pub outputs: Vec<Output>,
    pub expectations: Vec<Expectation>,
    pub plan_seconds: f64,
    pub run_seconds: f64,
    pub peak_memory: u64,
    pub memory: MemoryReport,
    pub devices: DeviceReport,
    pub timing: Option<TimingReport>,
    /// Of a run whose time is not wanted; else it is the timing's.
    pub device_memory: Option<DeviceMemory>,
    pub error: Option<Failure>,
}

/// The whole command.
#[derive(Default)]
pub struct Summary {
    pub file: String,
    pub numerics: &'static str,
    pub excess_precision: bool,
    pub threads: usize,
    pub memory_limit: u64,
    pub read_seconds: f64,
    pub runs: Vec<RunReport>,
}

impl Summary {
    /// Prints the JSON object, whatever the outcome.
    pub fn print_json(&self, exit_code: u8, error: Option<&Failure>) -> Result<(), Diagnostic> {
        let status = match exit_code {
            0 => "ok",
            1 => "failed",
            130 => "interrupted",
            _ => "error",
        };
        let object = json!({
            "schema": "tpusim.run/1",
            "file": self.file,
            "status": status,
            "exit_code": exit_code,
            "options": {
                "numerics": self.numerics,
                "excess_precision": self.excess_precision,
                "threads": self.threads,
                "memory_limit_bytes": self.memory_limit,
            },
            "read_seconds": self.read_seconds,
            "runs": self.runs.iter().map(run_json).collect::<Vec<_>>(),
            "error": error.map(error_json),
        });
        emit(object)
    }
}

fn run_json(run: &RunReport) -> Json {
    let inputs: Vec<Json> =
        run.inputs.iter().map(|(name, ty)| json!({ "name": name, "type": ty.to_string() })).collect();
    json!({
        "part": run.part,
        "entry": run.entry,
        "inputs": inputs,
        "outputs": run.outputs.iter().map(output_json).collect::<Vec<_>>(),
        "expectations": run.expectations.iter().map(Expectation::json).collect::<Vec<_>>(),
        "plan_seconds": run.plan_seconds,
        "run_seconds": run.run_seconds,
        "peak_memory_bytes": run.peak_memory,
        "memory": run.memory.json(),
        "devices": run.devices.json(),
        "timing": run.timing.as_ref().map(timing_json),
        "device_memory": run.device_memory.as_ref().map(DeviceMemory::json),
        "error": run.error.as_ref().map(error_json),
    })
}

fn output_json(output: &Output) -> Json {
    let t = &output.tensor;
    let (mut nans, mut infinities) = (0usize, 0usize);
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..t.len() {
        let x = match scalar(t, i) {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Int(n) => n as f64,
            Scalar::Uint(n) => n as f64,
            Scalar::Float(x) => x,
            Scalar::Complex(re, im) => re.hypot(im),
        };
        nans += x.is_nan() as usize;
        infinities += x.is_infinite() as usize;
        if x.is_finite() {
            (min, max) = (min.min(x), max.max(x));
        }
    }
    let any_finite = nans + infinities < t.len();
    let values =
        (t.len() <= JSON_VALUES).then(|| (0..t.len()).map(|i| scalar_json(t, i)).collect::<Vec<_>>());
    json!({
        "name": output.name,
        "type": output.ty.to_string(),
        "element": t.element().mlir_name(),
        "shape": t.shape(),
        "values": values,
        "min": any_finite.then(|| number(min)),
        "max": any_finite.then(|| number(max)),
        "nan_count": nans,
        "inf_count": infinities,
    })
}

/// JSON has no NaN and no infinities: they are strings.
fn number(x: f64) -> Json {
    if x.is_finite() { json!(x) } else { json!(x.to_string()) }
}

fn scalar_json(t: &Tensor, i: usize) -> Json {
    match scalar(t, i) {
        Scalar::Bool(b) => json!(b),
        Scalar::Int(n) => json!(n),
        Scalar::Uint(n) => json!(n),
        Scalar::Float(x) => number(x),
        Scalar::Complex(re, im) => json!([number(re), number(im)]),
    }
}

fn error_json(failure: &Failure) -> Json {
    let d = &failure.diagnostic;
    let text = failure.source.as_ref().filter(|source| source.encoding().is_text());
    let place = d.span().zip(text).map(|(span, source)| source.line_col(span.start));
    json!({
        "kind": kind_name(d.kind()),
        "message": d.message(),
        "operation": d.op(),
        "line": place.map(|p| p.0),
        "column": place.map(|p| p.1),
        "byte": d.span().map(|span| span.start),
        "location": (!d.loc().is_unknown()).then(|| d.loc().to_string()),
        "notes": d.notes(),
        "help": d.help_text(),
    })
}
