//! Work on a SparseCore, beside the TensorCore: the bytes of its operands and results, as far as its computation says that it touches them.

use super::{Bound, Kernel, Unit};
use crate::time::arrays::{self, Memory, arrays};
use crate::time::contents::Catalogue;
use crate::time::machine::Machine;
use crate::time::touched::Touched;
use sim_core::engine::Duration;
use sim_core::hlo::{ArrayShape, Instruction, Shape};

/// What a start says that it gives.
pub(in crate::time) fn result(start: &Instruction) -> Option<&Shape> {
    match &*start.shape {
        Shape::Tuple(parts) => parts.get(1).map(|part| &**part),
        _ => None,
    }
}

/// What the computation costs that `start` names, of these operands.
pub(in crate::time) fn cost<'a>(
    machine: Machine<'a>,
    start: &'a Instruction,
    operands: &[&Shape],
    result: Option<&Shape>,
    catalogue: &mut Catalogue<'a>,
) -> Kernel {
    let contents = start.called().next().map(|c| catalogue.of(c));
    let (mut read, mut written, mut padding) = (0u64, 0u64, 0u64);
    let mut count = |sum: &mut u64, array: &ArrayShape, touched: Option<Touched>| {
        let whole = arrays::bytes(array);
        if arrays::memory(array) != Memory::Hbm || whole == 0 {
            return;
        }
        let bytes = touched.unwrap_or(Touched::Whole).of(whole);
        *sum = sum.saturating_add(bytes);
        let filled = whole - arrays::dense_bytes(array).min(whole);
        padding = padding.saturating_add((filled as f64 * (bytes as f64 / whole as f64)) as u64);
    };
    for (n, operand) in operands.iter().enumerate() {
        let touched = contents.as_ref().and_then(|c| c.read.get(n).copied());
        for array in arrays(operand) {
            count(&mut read, array, touched);
        }
    }
    for (n, array) in result.map(arrays).into_iter().flatten().enumerate() {
        let touched = contents.as_ref().and_then(|c| c.written.get(n).copied());
        count(&mut written, array, touched);
    }
    let bytes = read as f64 + written as f64;
    let time = Duration::from_seconds(bytes / machine.peak_rate())
        + Duration::from_us(machine.units.dma.read_latency_us);
    Kernel {
        read,
        written,
        padding,
        estimate: Some("work of the SparseCore is estimated by the bytes of its operands and results"),
        ..Kernel::of(Unit::SparseCore, Bound::Estimate, time)
    }
}
