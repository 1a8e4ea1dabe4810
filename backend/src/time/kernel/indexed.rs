//! Gather and scatter on the TensorCore: scalar code walks the indices.
//!
//! A row that lies in HBM is a transfer of its own ([`Dma::issue_ns`](sim_core::chip::table::Dma::issue_ns)); one in VMEM takes the
//! cycles of the scalar code ([`TensorCore::row_cycles`](sim_core::chip::table::TensorCore::row_cycles)). What is scattered is read, changed and written.

use super::{Access, Bound, Busy, Kernel, Subject, Unit};
use crate::time::arrays::Memory;
use crate::time::touched::Touched;
use sim_core::engine::Duration;
use tensorcore::vmem::pipeline::Direction;

pub(super) fn cost(subject: &Subject<'_>) -> Kernel {
    let units = subject.machine.units;
    let indexed = subject.contents.indexed;
    let on = |memory: Memory| match memory {
        Memory::Hbm => Duration::from_ns(units.dma.issue_ns).max(subject.cycles(units.tensorcore.row_cycles)),
        _ => subject.cycles(units.tensorcore.row_cycles),
    };
    let result = subject.accesses.iter().find(|a| a.direction == Direction::Out);
    // What is gathered from is read in part, or lies where all of it is cheap to read; a scatter's own array is not it.
    let changed =
        |a: &Access<'_>| indexed.scattered > 0.0 && result.is_some_and(|r| r.array.dims == a.array.dims);
    let tables = || subject.accesses.iter().filter(|a| a.direction == Direction::In && !changed(a));
    let part = |a: &&Access<'_>| matches!(subject.contents.read.get(a.operand), Some(Touched::Part(_)));
    let table = tables().find(part).or(subject.accesses.first()).map_or(Memory::Hbm, |a| a.memory);
    let target = result.map_or(Memory::Hbm, |a| a.memory);
    // What is scattered is read, changed and written.
    let issue = on(table).seconds() * indexed.gathered + 2.0 * on(target).seconds() * indexed.scattered;
    let issue = Duration::from_seconds(issue);
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
