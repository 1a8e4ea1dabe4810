//! A timing as JSON: the object `timing` of a run (docs/run-summary.md).

use super::{DeviceMemory, TimingReport};
use backend::time::summary::{KernelRow, Summary};
use backend::time::{CostModel, Loop};
use serde_json::{Value as Json, json};

pub fn timing_json(report: &TimingReport) -> Json {
    let timing = &report.timing;
    let s: Summary<'_> = timing.summary();
    json!({
        "schema": "tpusim.timing/1",
        "chip": report.chip.name,
        "set": report.changes,
        "cost": match report.cost { CostModel::Model => "model", CostModel::Compiler => "compiler" },
        "warm": report.warm,
        "total_ps": s.total.ps(),
        "host_dispatch_us": report.chip.units().host.dispatch_us,
        "simulation_seconds": report.seconds,
        "flops": s.flops,
        "mfu": s.mfu,
        "peak_flops_per_second": timing.peak_flops,
        "hbm": {
            "read_bytes": s.read,
            "written_bytes": s.written,
            "bytes_per_second_peak": timing.hbm_peak,
            "bytes_per_second_reached_at_best": timing.hbm_rate,
            "argument_bytes": timing.program.arguments,
            "result_bytes": timing.program.results,
        },
        "utilization": { "mxu": s.mxu, "vpu": s.vpu, "xlu": s.xlu, "hbm": s.hbm },
        "asynchronous_ps": s.asynchronous.ps(),
        "exposed_ps": s.exposed.ps(),
        "padding": { "of_hbm_bytes": s.padding, "of_mxu_flops": s.mxu_padding },
        "compiler": s.compiler.map(|(theirs, model)| json!({
            "estimate_ps": theirs.ps(), "model_ps_of_the_same_kernels": model.ps(),
        })),
        "estimated": { "kernels": s.estimated.0, "ps": s.estimated.1.ps() },
        "instructions": timing.program.instructions,
        "loops": timing.loops.iter().map(|l| loop_json(report, l)).collect::<Vec<_>>(),
        "guessed_branches":
            timing.guessed.iter().map(|&i| timing.program.item(i).name.to_string()).collect::<Vec<_>>(),
        "memory": report.memory.as_ref().map(DeviceMemory::json),
        "kernels": s.kernels.iter().map(kernel_json).collect::<Vec<_>>(),
    })
}

fn loop_json(report: &TimingReport, l: &Loop) -> Json {
    let row = report.timing.rows.get(l.item.0 as usize);
    json!({
        "name": &*report.timing.program.item(l.item).name,
        "trips": l.trips,
        "from": l.from,
        "runs": row.map(|r| r.runs),
        "ps": row.map(|r| r.time.ps()),
    })
}

fn kernel_json(row: &KernelRow<'_>) -> Json {
    let kernel = &row.item.kernel;
    json!({
        "name": &*row.item.name,
        "opcode": row.item.opcode,
        "op_name": row.item.place.operation.as_deref(),
        "source_file": row.item.place.file.as_deref(),
        "source_line": (row.item.place.line > 0).then_some(row.item.place.line),
        "unit": kernel.unit,
        "bound": kernel.bound,
        "asynchronous": row.asynchronous,
        "runs": row.runs,
        "first_start_ps": row.first.ps(),
        "ps": row.time.ps(),
        "alone_ps": row.alone.ps(),
        "waited_ps": row.waited.ps(),
        "steps": kernel.steps,
        "flops": row.flops,
        "product_flops": kernel.product_flops * row.runs as f64,
        "mxu_flops": kernel.mxu_flops * row.runs as f64,
        "hbm_read_bytes": kernel.read as f64 * row.runs as f64,
        "hbm_written_bytes": kernel.written as f64 * row.runs as f64,
        "hbm_padding_bytes": kernel.padding as f64 * row.runs as f64,
        "mxu_ps": picoseconds(row.busy.mxu),
        "vpu_ps": picoseconds(row.busy.vpu),
        "xlu_ps": picoseconds(row.busy.xlu),
        "hbm_ps": picoseconds(row.busy.hbm),
        "of_roof": row.of_roof,
        "estimated_cycles": kernel.estimated_cycles,
        "compiler_ps": row.compiler.map(|d| d.ps()),
        "estimated": kernel.estimate,
    })
}

fn picoseconds(seconds: f64) -> f64 {
    (seconds * 1e12).round()
}
