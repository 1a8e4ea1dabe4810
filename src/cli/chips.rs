//! `tpusim chips`: what is known of each generation of TPU, and from where.

use super::{Failure, Outcome, emit};
use clap::{Subcommand, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Value as Json, json};
use sim_core::chip::{Chip, Entry, KEYS, Key, Status, Value, chips};
use sim_core::{Diagnostic, Result};
use std::fmt::Write as _;

/// Show what chips are made of: their parameters, with units, sources and how sure they are
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Subcommand)]
enum Command {
    /// One line a chip [default]
    List {
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// All parameters of a chip
    Show {
        /// Its name here, or JAX's or Google Cloud's: v6e, "TPU v6 lite"
        name: String,
        #[command(flatten)]
        changes: Changes,
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// The parameters in which two chips differ
    Diff {
        /// The first chip
        a: String,
        /// The second chip; the first itself if it is left out, with what --set changes
        b: Option<String>,
        #[command(flatten)]
        changes: Changes,
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
}

#[derive(clap::Args)]
struct Changes {
    /// Another value for a parameter (of the second chip, where there are two): hbm.bandwidth_gbps=3200
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON object, `tpusim.chips/1`
    Json,
}

pub fn run(args: &Args) -> Outcome {
    match &args.command {
        None => list(args.format)?,
        Some(Command::List { format }) => list(*format)?,
        Some(Command::Show { name, changes, format }) => {
            show(&named(name)?.with(&changes.set)?, *format)?;
        }
        Some(Command::Diff { a, b, changes, format }) => {
            let first = named(a)?;
            if b.is_none() && changes.set.is_empty() {
                return Err(Diagnostic::invalid(format!("{} is to be compared with nothing", first.name))
                    .help("name another chip, or change something: --set hbm.bandwidth_gbps=3200")
                    .into());
            }
            let second = named(b.as_ref().unwrap_or(a))?.with(&changes.set)?;
            diff(first, &second, *format)?;
        }
    }
    Ok(0)
}

/// # Errors
/// There is no such chip; the message lists those that there are.
pub(super) fn named(name: &str) -> Result<&'static Chip> {
    Chip::named(name).ok_or_else(|| {
        let known: Vec<&str> = chips().iter().map(|c| c.name.as_str()).collect();
        Diagnostic::invalid(format!("there is no chip `{name}` here"))
            .help(format!("known are {}", known.join(", ")))
    })
}

pub(super) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table
}

/// Without the blanks that a table without borders has around it.
fn print(table: &Table) -> Result<(), Failure> {
    let lines: Vec<String> = table.lines().map(|l| l.trim_end().trim_start_matches(' ').to_owned()).collect();
    Ok(emit(lines.join("\n"))?)
}

fn align_right(table: &mut Table, columns: std::ops::RangeInclusive<usize>) {
    for i in columns {
        if let Some(column) = table.column_mut(i) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// What each is, in a line.
fn list(format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        let all: Vec<Json> = chips().iter().map(chip_json).collect();
        return Ok(emit(json!({ "schema": "tpusim.chips/1", "chips": all }))?);
    }
    let mut table = table(&[
        "chip",
        "device kind",
        "cores",
        "devices",
        "MXUs a core",
        "MHz",
        "bf16 TFLOP/s",
        "VMEM MiB a core",
        "HBM GiB",
        "GB/s",
        "ICI GB/s",
        "largest slice",
    ]);
    for chip in chips() {
        let u = chip.units();
        table.add_row([
            chip.name.clone(),
            chip.kind.clone(),
            u.chip.tensorcores.to_string(),
            u.chip.devices.to_string(),
            format!("{}x {}x{}", u.mxu.count, u.mxu.rows, u.mxu.columns),
            u.tensorcore.clock_mhz.to_string(),
            format!("{:.0}", u.peak_flops(1.0) / 1e12),
            (u.vmem.bytes >> 20).to_string(),
            (u.hbm.bytes >> 30).to_string(),
            u.hbm.bandwidth_gbps.to_string(),
            format!("{}x {}", u.ici.links, u.ici.link_gbps),
            chip.slices.as_ref().map_or("-".to_owned(), |s| s.shape_text(shape(s.largest, s.torus))),
        ]);
    }
    align_right(&mut table, 2..=10);
    print(&table)
}

/// The largest slice, with the sides that there are first.
fn shape(largest: [usize; 3], torus: usize) -> [usize; 3] {
    let mut shape = largest;
    shape.rotate_left(3 - torus.min(3));
    shape
}

fn show(chip: &Chip, format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        return Ok(emit(json!({ "schema": "tpusim.chips/1", "chips": [chip_json(chip)] }))?);
    }
    emit(format_args!("{} ({}), also called {}\n", chip.name, chip.kind, chip.aliases.join(", ")))?;
    let mut table = table(&["parameter", "value", "unit", "status", "source"]);
    for (key, entry) in KEYS.iter().zip(chip.entries()) {
        let Some(e) = entry else {
            table.add_row([key.name, "-", key.unit, "", ""]);
            continue;
        };
        let note = e.note.as_ref().map_or(String::new(), |n| format!(": {n}"));
        table.add_row([
            key.name.to_owned(),
            number(e.value),
            key.unit.to_owned(),
            e.status.word().to_owned(),
            format!("{}{note}", e.source),
        ]);
    }
    align_right(&mut table, 1..=1);
    print(&table)?;
    emit("\nSources:")?;
    let width = chip.sources.keys().map(String::len).max().unwrap_or(0);
    for (name, text) in &chip.sources {
        emit(format_args!("  {name:width$}  {text}"))?;
    }
    Ok(())
}

fn diff(a: &Chip, b: &Chip, format: Format) -> Result<(), Failure> {
    let value = |e: &Option<Entry>| e.as_ref().map_or("-".to_owned(), |e| number(e.value));
    type Row<'a> = (&'a Key, &'a Option<Entry>, &'a Option<Entry>);
    let differ = |(_, x, y): &Row<'_>| x.as_ref().map(|e| e.value) != y.as_ref().map(|e| e.value);
    let rows =
        KEYS.iter().zip(a.entries().iter().zip(b.entries())).map(|(k, (x, y))| (k, x, y)).filter(differ);
    if format == Format::Json {
        let rows: Vec<Json> = rows
            .map(|(k, x, y)| json!({ "key": k.name, "unit": k.unit, "a": entry_json(x), "b": entry_json(y) }))
            .collect();
        let diff = json!({ "a": a.name, "b": b.name, "parameters": rows });
        return Ok(emit(json!({ "schema": "tpusim.chips/1", "diff": diff }))?);
    }
    let set = if b.entries().iter().flatten().any(|e| e.status == Status::Set) { " (set)" } else { "" };
    let mut table = table(&["parameter", &a.name, &format!("{}{set}", b.name), "unit"]);
    for (key, x, y) in rows {
        table.add_row([key.name.to_owned(), value(x), value(y), key.unit.to_owned()]);
    }
    if table.is_empty() {
        return Ok(emit(format_args!("{} and {} do not differ", a.name, b.name))?);
    }
    align_right(&mut table, 1..=2);
    print(&table)
}

/// docs/chips.md: what each parameter means, and its values.
pub(super) fn document() -> String {
    let mut out = String::from(
        "# Chips\n\nGenerated by `cargo xtask gen` from `sim-core/chips/*.toml` and `sim-core/src/chip/table.rs`. `tpusim chips show \
         v6e` says where each\nnumber is from. Numbers without a mark are the vendor's (`official`) or `measured`; `~` is \
         `inferred` from those, `?` is `assumed`.\nAny of them can be set: `--set hbm.bandwidth_gbps=3200`, of `tpusim run --timing` and of `tpusim chips`.\n",
    );
    let names: Vec<&str> = chips().iter().map(|c| c.name.as_str()).collect();
    let mut section = "";
    for (i, key) in KEYS.iter().enumerate() {
        let of = key.name.split('.').next().unwrap_or_default();
        if of != section {
            section = of;
            let rule = "---|".repeat(names.len());
            let _ = write!(
                out,
                "\n## {section}\n\n| parameter | {} | unit | |\n|---|{rule}---|---|\n",
                names.join(" | ")
            );
        }
        let values: Vec<String> = chips().iter().map(|c| marked(&c.entries()[i])).collect();
        let about = key.about.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "| `{}` | {} | {} | {about} |", key.name, values.join(" | "), key.unit);
    }
    out
}

fn marked(entry: &Option<Entry>) -> String {
    let Some(e) = entry else { return "-".to_owned() };
    let mark = match e.status {
        Status::Inferred => "~",
        Status::Assumed => "?",
        Status::Official | Status::Measured | Status::Set => "",
    };
    format!("{}{mark}", number(e.value))
}

/// Large numbers in groups of three: `134_217_728`, as the files and `--set` have them.
fn number(value: Value) -> String {
    let text = value.to_string();
    if text.len() <= 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return text;
    }
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(c);
    }
    out
}

fn chip_json(chip: &Chip) -> Json {
    let parameters: serde_json::Map<String, Json> = KEYS
        .iter()
        .zip(chip.entries())
        .filter(|(_, e)| e.is_some())
        .map(|(k, e)| {
            let mut row = entry_json(e);
            row["unit"] = k.unit.into();
            (k.name.to_owned(), row)
        })
        .collect();
    json!({
        "name": chip.name,
        "kind": chip.kind,
        "aliases": chip.aliases,
        "sources": chip.sources,
        "peak_flops_bf16": chip.units().peak_flops(1.0),
        "parameters": parameters,
    })
}

fn entry_json(entry: &Option<Entry>) -> Json {
    let Some(e) = entry else { return Json::Null };
    let value = match e.value {
        Value::Whole(n) => json!(n),
        Value::Real(x) => json!(x),
    };
    json!({ "value": value, "status": e.status.word(), "source": e.source, "note": e.note })
}
