//! Gather and scatter on the TensorCore: scalar code walks the indices.
//!
//! A row that lies in HBM is a transfer of its own ([`Dma::issue_ns`](sim_core::chip::table::Dma::issue_ns)); one in VMEM takes the
//! cycles of the scalar code ([`TensorCore::row_cycles`](sim_core::chip::table::TensorCore::row_cycles)). What is scattered is read, changed and written.

use super::{Bound, Busy, Kernel, Subject, Unit};
use crate::time::arrays::Memory;
use sim_core::engine::Duration;

pub(super) fn cost(subject: &Subject<'_>) -> Kernel {
    let units = subject.machine.units;
    let indexed = subject.contents.indexed;
    let rows = indexed.rows * if indexed.scatters { 2.0 } else { 1.0 };
    let target = subject.accesses.first().map_or(Memory::Hbm, |a| a.memory);
    let each = match target {
        Memory::Hbm => Duration::from_ns(units.dma.issue_ns).max(subject.cycles(units.tensorcore.row_cycles)),
        _ => subject.cycles(units.tensorcore.row_cycles),
    };
    let issue = Duration::from_seconds(each.seconds() * rows);
    let vector = Busy::of(subject.contents.total_work(), &subject.machine);
    // The vector unit works on rows as they come; the scalar code is what it waits for.
    let busy = Busy { vpu: vector.vpu.max(issue), ..vector };
    let mut kernel = subject.in_passes(Unit::Vpu, busy);
    kernel.vpu = vector.vpu;
    if issue > vector.vpu && kernel.bound != Bound::Hbm {
        kernel.bound = Bound::Latency;
    }
    kernel
}
