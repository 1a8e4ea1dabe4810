//! Kernels of the vector unit: elementwise fusions, reductions, copies, relayouts, slices, sorts.

use super::{Access, Busy, Kernel, Subject, Unit};
use crate::time::arrays::{self, Memory, physical, registers};
use sim_core::engine::Duration;
use sim_core::hlo::Opcode;
use tensorcore::vmem::pipeline::Direction;
use tensorcore::vpu::cost::Work;

pub(super) fn cost(subject: &Subject<'_>) -> Kernel {
    let work = subject.contents.total_work() + moves(subject);
    match subject.stated_grid() {
        Some(grid) => on(subject, work, grid),
        None => subject.choose(|grid| on(subject, work, grid)),
    }
}

/// On that grid.
fn on(subject: &Subject<'_>, work: Work, grid: Vec<u64>) -> Kernel {
    let steps = grid.iter().fold(1u64, |n, &d| n.saturating_mul(d)).max(1);
    let mut busy = Busy::of(work, &subject.machine);
    // One step that works where its operand lies has no windows of its own in VMEM, between which loads, operations and stores of
    // several registers could overlap.
    if subject.in_place && steps == 1 && subject.config.scoped_vmem() == 0 {
        busy.vpu = busy.vpu * 2;
    }
    let all = (0..grid.len().min(32)).fold(0u32, |bits, d| bits | 1 << d);
    let mut windows = Vec::new();
    for access in subject.accesses.iter().filter(|a| a.memory == Memory::Hbm && a.bytes > 0) {
        // What is smaller than its share of a tile for each step is fetched once.
        let once = access.bytes < steps.saturating_mul(512);
        let (moves_with, places) = if once { (0, 1) } else { (all, steps) };
        let bytes = access.bytes as f64 / places as f64 * strided(subject, access);
        windows.push(subject.window(access.direction, moves_with, bytes));
    }
    let computes = work.alu > 0.0 || work.eup > 0.0;
    let unit = match () {
        _ if computes => Unit::Vpu,
        _ if work.xlu > 0.0 => Unit::Xlu,
        _ => Unit::Dma,
    };
    let estimate = unmodelled(subject.instruction.opcode);
    Kernel { estimate, ..subject.kernel(unit, grid, windows, busy, Duration::ZERO) }
}

/// What is said of operations whose work is not counted, or only roughly.
fn unmodelled(opcode: Opcode) -> Option<&'static str> {
    match opcode {
        Opcode::Fft | Opcode::Cholesky | Opcode::TriangularSolve => {
            Some("transforms and decompositions are estimated by their bytes alone, which is far too little")
        }
        Opcode::Infeed | Opcode::Outfeed => Some("transfers to the host are estimated by their bytes"),
        Opcode::TopK => Some("the largest values are estimated by a pass for each of them"),
        _ => None,
    }
}

/// How many times its bytes' time the windows of an operand take, which may be pieces of its rows.
fn strided(subject: &Subject<'_>, access: &Access<'_>) -> f64 {
    let physical = physical(access.array);
    let bounds = subject.config.window_config.as_ref().map_or(&[][..], |w| &w.output_window_bounds);
    let (Some(&(_, minor)), Some(&tiles)) = (physical.last(), bounds.last()) else { return 1.0 };
    let units = subject.machine.units;
    let (minor, window) = (minor as u64, tiles.saturating_mul(units.vpu.lanes));
    if physical.len() < 2 || bounds.len() != physical.len() || window >= minor {
        return 1.0;
    }
    hbm::dma::unaligned(arrays::tile_row(access.array).saturating_mul(minor.div_ceil(units.vpu.lanes)), units)
}

/// Loads, stores, and what a change of layout takes.
fn moves(subject: &Subject<'_>) -> Work {
    let mut work = Work::NONE;
    for access in &subject.accesses {
        let whole = arrays::bytes(access.array).max(1);
        let part = registers(access.array) * (access.bytes as f64 / whole as f64);
        // Narrow values are loaded and stored packed.
        let packed = part * f64::from(access.array.element.bits().min(32)) / 32.0;
        match access.direction {
            Direction::In => work.loads += packed,
            Direction::Out => work.stores += packed,
        }
    }
    work
}
