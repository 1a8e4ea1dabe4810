//! `tpusim inspect`: what a program is, without running it.

use super::program::{Input, Program};
use super::run::Format;
use super::shapes::{Refine, refine_all};
use super::{Failure, Outcome, emit, inputs};
use backend::frontend::ParseOptions;
use backend::frontend::hlo::import::Elided;
use serde_json::{Value as Json, json};
use sim_core::hlo::{HloModule, Key, Opcode, Value as HloValue};
use sim_core::ir::analysis::{Cost, function_cost, type_bytes};
use sim_core::ir::{Attr, Function, Module, Op};
use sim_core::{Diagnostic, Result, Type};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Show what is in a program: signature, operations, arithmetic, bytes, collectives, custom calls
#[derive(clap::Args)]
pub struct Args {
    /// The program; `-` is standard input
    file: PathBuf,
    /// The function to describe [default: @main, or the only one]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    #[command(flatten)]
    refine: Refine,
    /// What to print on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    summary: Format,
}

pub fn run(args: &Args) -> Outcome {
    // Nobody looks at values here.
    let options = ParseOptions { elided: Elided::Zeros, ..ParseOptions::default() };
    let (mut program, hlo) = match Input::open(&args.file)? {
        Input::Hlo(source, modules) => (Program::of_hlo(source, &modules, &options)?, modules),
        Input::Other(program) => (program, Vec::new()),
    };
    refine_all(&mut program, args.entry.as_deref(), &args.refine)?;
    let failure = Failure::in_source(&program.source);
    let encoding = program.source.encoding().describe();
    let mut parts = Vec::new();
    for (n, module) in program.modules.iter().enumerate() {
        let entry = entry(module, args.entry.as_deref()).map_err(&failure)?;
        let names = inputs::parameter_names(entry, program.binding_of(module, entry));
        let mut stats = Stats::of(module, entry).map_err(&failure)?;
        if let Some(hlo) = hlo.get(n) {
            // Under their own names, not under those of what they were read as.
            stats.operations = opcodes(hlo);
        }
        parts.push((module, entry, names, stats));
    }
    match args.summary {
        Format::Json => emit(json!({
            "schema": "tpusim.inspect/1",
            "file": args.file.display().to_string(),
            "encoding": encoding,
            "bytes": program.source.bytes().len(),
            "modules": parts.iter().map(|(m, f, names, s)| module_json(m, f, names, s)).collect::<Vec<_>>(),
        }))?,
        Format::Text => {
            let size = bytes(program.source.bytes().len() as f64);
            emit(format_args!("{}: {encoding}, {size}", args.file.display()))?;
            for (i, (module, entry, names, stats)) in parts.iter().enumerate() {
                if parts.len() > 1 {
                    emit(format_args!("\n// ----- part {i}"))?;
                }
                emit(module_text(module, entry, names, stats).trim_end_matches('\n'))?;
            }
        }
    }
    Ok(0)
}

/// How often each opcode stands in a module, fusions by kind: `fusion kLoop`.
fn opcodes(hlo: &HloModule) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for i in hlo.computations.iter().flat_map(|c| &c.instructions) {
        let name = match (i.opcode, i.attr(&Key::Kind)) {
            (Opcode::Fusion, Some(HloValue::Word(kind))) => format!("{} {kind}", i.written_name()),
            _ => i.written_name().to_string(),
        };
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// Replicas and partitions.
fn devices(module: &Module) -> [i64; 2] {
    ["mhlo.num_replicas", "mhlo.num_partitions"]
        .map(|name| module.attrs.get(name).and_then(Attr::as_int).filter(|&n| n > 0).unwrap_or(1))
}

/// What the text has of one kind of call: how many, and the bytes of their operands.
#[derive(Default)]
struct Calls {
    sites: u64,
    operand_bytes: u64,
}

/// What is counted over all functions of a module.
struct Stats {
    operations: BTreeMap<String, u64>,
    collectives: BTreeMap<String, Calls>,
    custom_calls: BTreeMap<String, Calls>,
    /// Number and bytes of constants that are not one number.
    constants: (u64, u64),
    /// One run of the entry.
    cost: Cost,
}

impl Stats {
    fn of(module: &Module, entry: &Function) -> Result<Stats> {
        let mut stats = Stats {
            operations: BTreeMap::new(),
            collectives: BTreeMap::new(),
            custom_calls: BTreeMap::new(),
            constants: (0, 0),
            cost: function_cost(module, entry)?,
        };
        let mut modules = vec![module];
        while let Some(module) = modules.pop() {
            modules.extend(&module.modules);
            for function in &module.functions {
                stats.count(function);
            }
        }
        Ok(stats)
    }

    fn count(&mut self, function: &Function) {
        for op in &function.ops {
            *self.operations.entry(op.name().to_owned()).or_default() += 1;
            let (table, name) = match &op.op {
                Op::Constant(dense) if !dense.splat => {
                    self.constants.0 += 1;
                    self.constants.1 += dense.value.bytes().len() as u64;
                    continue;
                }
                Op::CustomCall(call) => (&mut self.custom_calls, &*call.target),
                other if other.is_collective() => (&mut self.collectives, other.name()),
                _ => continue,
            };
            let calls = table.entry(name.to_owned()).or_default();
            calls.sites += 1;
            for &operand in &op.operands {
                let bytes = type_bytes(function.ty(operand)).unwrap_or(0);
                calls.operand_bytes = calls.operand_bytes.saturating_add(bytes);
            }
        }
    }
}

fn sum_bytes(types: &[Type]) -> Option<u64> {
    types.iter().try_fold(0u64, |n, t| n.checked_add(type_bytes(t)?))
}

/// The function of that name, or the one where a run starts.
///
/// # Errors
/// Invalid: there is none, or several.
pub fn entry<'a>(module: &'a Module, name: Option<&str>) -> Result<&'a Function> {
    let found = match name {
        Some(name) => module.function(name),
        None => module.entry(),
    };
    found.ok_or_else(|| {
        let names: Vec<String> = module.functions.iter().map(|f| format!("@{}", f.name)).collect();
        let what = match name {
            Some(name) => format!("there is no function @{name}"),
            None => "it is not clear which function is the entry".to_owned(),
        };
        Diagnostic::invalid(what)
            .note(format!("the functions are: {}", names.join(", ")))
            .help("choose one with --entry NAME")
    })
}

/// `1.5 MB`, powers of 1000, as bandwidths are given.
fn bytes(n: f64) -> String {
    scaled(n, "B")
}

fn scaled(n: f64, unit: &str) -> String {
    let mut n = n;
    let mut prefix = "";
    for next in ["k", "M", "G", "T", "P", "E"] {
        if n < 1000.0 {
            break;
        }
        n /= 1000.0;
        prefix = next;
    }
    let digits = if prefix.is_empty() { 0 } else { 2 };
    format!("{n:.digits$} {prefix}{unit}").trim_end().to_owned()
}

fn size_text(n: Option<u64>) -> String {
    n.map_or_else(|| "of dynamic size".to_owned(), |n| bytes(n as f64))
}

fn module_text(module: &Module, entry: &Function, names: &[String], stats: &Stats) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    if let Some(name) = &module.name {
        line(format!("module @{name}, {} functions", module.functions.len()));
    }
    if let [replicas, partitions] = devices(module)
        && (replicas, partitions) != (1, 1)
    {
        let all = replicas.saturating_mul(partitions);
        line(format!("devices: {all} (replicas: {replicas}, partitions: {partitions})"));
    }
    line(format!("\nentry @{}", entry.name));
    line(format!("  parameters: {}, {}", entry.arg_types.len(), size_text(sum_bytes(&entry.arg_types))));
    for (name, ty) in names.iter().zip(&entry.arg_types) {
        line(format!("    {name}: {ty}"));
    }
    line(format!("  results: {}, {}", entry.result_types.len(), size_text(sum_bytes(&entry.result_types))));
    for (i, ty) in entry.result_types.iter().enumerate() {
        line(format!("    out{i}: {ty}"));
    }
    if stats.constants.0 > 0 {
        line(format!("  constants: {}, {}", stats.constants.0, bytes(stats.constants.1 as f64)));
    }

    let cost = &stats.cost;
    line("\none run".to_owned());
    line(format!("  arithmetic: {}", scaled(cost.flops as f64, "FLOP")));
    line(format!("  transcendentals: {}", scaled(cost.transcendentals as f64, "")));
    line(format!("  bytes read and written, unfused: {}", bytes(cost.bytes as f64)));
    if cost.loops > 0 {
        line(format!("  loops, whose bodies are counted once: {}", cost.loops));
    }
    if cost.unknown > 0 {
        line(format!("  operations of dynamic size, not counted: {}", cost.unknown));
    }

    let total: u64 = stats.operations.values().sum();
    line(format!("\noperations: {total}"));
    let mut by_count: Vec<_> = stats.operations.iter().collect();
    by_count.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), *name));
    let width = by_count.first().map_or(1, |(_, n)| n.to_string().len());
    for (name, n) in by_count {
        line(format!("  {n:>width$}  {name}"));
    }
    for (title, calls) in [("collectives", &stats.collectives), ("custom calls", &stats.custom_calls)] {
        if calls.is_empty() {
            line(format!("\n{title}: none"));
            continue;
        }
        line(format!("\n{title}:"));
        for (name, c) in calls {
            line(format!("  {}  {name}, {} of operands", c.sites, bytes(c.operand_bytes as f64)));
        }
    }
    out
}

fn module_json(module: &Module, entry: &Function, names: &[String], stats: &Stats) -> Json {
    let value =
        |name: &str, ty: &Type| json!({ "name": name, "type": ty.to_string(), "bytes": type_bytes(ty) });
    let parameters: Vec<Json> =
        names.iter().zip(&entry.arg_types).map(|(name, ty)| value(name, ty)).collect();
    let results: Vec<Json> =
        entry.result_types.iter().enumerate().map(|(i, ty)| value(&format!("out{i}"), ty)).collect();
    let calls = |calls: &BTreeMap<String, Calls>| -> Json {
        calls
            .iter()
            .map(|(name, c)| {
                let c = json!({ "count": c.sites, "operand_bytes": c.operand_bytes });
                (name.clone(), c)
            })
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let [replicas, partitions] = devices(module);
    json!({
        "name": module.name.as_deref(),
        "devices": { "replicas": replicas, "partitions": partitions },
        "entry": &*entry.name,
        "parameters": parameters,
        "results": results,
        "constants": { "count": stats.constants.0, "bytes": stats.constants.1 },
        "operations": stats.operations,
        "flops": stats.cost.flops,
        "transcendentals": stats.cost.transcendentals,
        "bytes": stats.cost.bytes,
        "loops": stats.cost.loops,
        "operations_of_dynamic_size": stats.cost.unknown,
        "collectives": calls(&stats.collectives),
        "custom_calls": calls(&stats.custom_calls),
    })
}
