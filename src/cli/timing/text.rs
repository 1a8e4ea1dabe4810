//! A timing as text: what it is of, the whole, the kernels, what was assumed.

use super::TimingReport;
use crate::cli::chips::table;
use backend::time::summary::{KernelRow, Summary};
use backend::time::{CostModel, Item, Loop, TripsFrom};
use sim_core::engine::Duration;
use std::fmt::Write as _;

/// Everything, without a newline at the end.
pub fn render(report: &TimingReport, shown: usize) -> String {
    let summary = report.timing.summary();
    let mut out = String::new();
    head(&mut out, report, &summary);
    kernels(&mut out, report, &summary, shown);
    assumptions(&mut out, report, &summary);
    out.truncate(out.trim_end().len());
    out
}

fn percent(x: f64) -> String {
    format!("{:.1} %", 100.0 * x)
}

/// `1.23 GB`, decimal.
fn amount(x: f64, unit: &str) -> String {
    for (scale, prefix) in [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if x >= scale {
            return format!("{:.2} {prefix}{unit}", x / scale);
        }
    }
    format!("{x:.0} {unit}")
}

fn head(out: &mut String, report: &TimingReport, s: &Summary<'_>) {
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<10} {text}");
    };
    let changes = match report.changes.is_empty() {
        true => String::new(),
        false => format!(" with {}", report.changes.join(", ")),
    };
    let state = if report.warm { "runs before have prefetched" } else { "the first run" };
    line("chip", format!("{}{changes}, one device; {state}", report.chip.name));
    let ours = match report.cost {
        CostModel::Model => "",
        CostModel::Compiler => " (by the compiler's estimates)",
    };
    let host = Duration::from_us(report.chip.units().host.dispatch_us);
    line("time", format!("{}{ours}, and {host} of the host for a call", s.total));
    line("compute", format!("{}, MFU {}", amount(s.flops, "FLOP"), percent(s.mfu)));
    let moved = amount(s.read + s.written, "B");
    line("HBM", format!("{moved}: {} read, {} written", amount(s.read, "B"), amount(s.written, "B")));
    let busy = [("MXU", s.mxu), ("VPU", s.vpu), ("XLU", s.xlu), ("HBM", s.hbm)];
    line("busy", busy.map(|(unit, share)| format!("{unit} {}", percent(share))).join(", "));
    line("copies", format!("{} beside kernels, of which {} were waited for", s.asynchronous, s.exposed));
    line(
        "padding",
        format!("{} of HBM bytes, {} of MXU operations", percent(s.padding), percent(s.mxu_padding)),
    );
    if let Some((theirs, model)) = s.compiler {
        line("compiler", format!("{theirs} for the kernels it has estimates of; the model says {model}"));
    }
}

fn kernels(out: &mut String, report: &TimingReport, s: &Summary<'_>, shown: usize) {
    if s.kernels.is_empty() {
        return;
    }
    let mut rows = table(&[
        "kernel", "unit", "runs", "start", "each", "time", "share", "FLOP", "HBM", "bound by", "of roof",
        "compiler", "source",
    ]);
    for i in 2..=8 {
        if let Some(column) = rows.column_mut(i) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    for row in s.kernels.iter().take(shown) {
        rows.add_row(cells(row, s.total, report));
    }
    let _ = writeln!(out);
    for line in rows.lines() {
        let _ = writeln!(out, "{}", line.trim_end().trim_start_matches(' '));
    }
    if s.kernels.len() > shown {
        let rest: Duration = s.kernels[shown..].iter().filter(|k| !k.asynchronous).map(|k| k.time).sum();
        let _ =
            writeln!(out, "and {} more, {rest} together (--kernels 0 shows all)", s.kernels.len() - shown);
    }
}

fn cells(row: &KernelRow<'_>, total: Duration, _: &TimingReport) -> Vec<String> {
    let kernel = &row.item.kernel;
    // What goes on beside the TensorCore counts as far as it was waited for.
    let counts = if row.asynchronous { row.waited } else { row.time };
    let share = counts.seconds() / total.seconds().max(f64::MIN_POSITIVE);
    let each = Duration::from_ps(row.time.ps() / row.runs.max(1));
    let or_none = |x: f64, unit: &str| if x > 0.0 { amount(x, unit) } else { String::new() };
    let estimate = if kernel.estimate.is_some() { "~" } else { "" };
    vec![
        row.item.name.to_string(),
        kernel.unit.name().to_owned(),
        row.runs.to_string(),
        row.first.to_string(),
        each.to_string(),
        format!("{estimate}{counts}"),
        percent(share),
        or_none(row.flops, ""),
        or_none(row.bytes, "B"),
        match row.asynchronous {
            true => "beside kernels".to_owned(),
            false => kernel.bound.name().to_owned(),
        },
        row.of_roof.filter(|_| !row.asynchronous).map(percent).unwrap_or_default(),
        row.compiler.map(|d| d.to_string()).unwrap_or_default(),
        source(row.item),
    ]
}

/// The end of the path is what people look for.
fn source(item: &Item) -> String {
    let Some(file) = &item.place.file else { return String::new() };
    let short = file.rsplit('/').next().unwrap_or(file);
    if item.place.line > 0 { format!("{short}:{}", item.place.line) } else { short.to_owned() }
}

fn assumptions(out: &mut String, report: &TimingReport, s: &Summary<'_>) {
    let program = &report.timing.program;
    let mut notes = Vec::new();
    for &Loop { item, trips, from } in &report.timing.loops {
        let name = &program.item(item).name;
        let trips = match trips {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        };
        notes.push(match from {
            Some(TripsFrom::Text) => format!("%{name} runs {trips}, as the program's text has it"),
            Some(TripsFrom::Values) => format!("%{name} runs {trips}, as in this run"),
            Some(TripsFrom::Told) => format!("%{name} runs {trips}, as --trips says"),
            None => {
                format!("%{name}: how often it runs is not known; once is assumed (--trips N says otherwise)")
            }
        });
    }
    for &item in &report.timing.guessed {
        let name = &program.item(item).name;
        notes.push(format!("%{name}: the predicate is not known; its costliest branch is taken"));
    }
    if report.timing.idles() {
        notes.push(format!(
            "the program shares no kernel between the {} cores of a device of {} (megacore_split_dim): one core does the work, the rest \
             idles",
            report.timing.cores, report.chip.name
        ));
    }
    if s.estimated.0 > 0 {
        let mut reasons: Vec<&str> = s.kernels.iter().filter_map(|k| k.item.kernel.estimate).collect();
        reasons.sort_unstable();
        reasons.dedup();
        notes.push(format!("~ is not modelled, {} in all: {}", s.estimated.1, reasons.join("; ")));
    }
    if !notes.is_empty() {
        let _ = writeln!(out);
    }
    for note in notes {
        let _ = writeln!(out, "note: {note}");
    }
}
