//! Custom calls: those of XLA:TPU by name, kernels of Mosaic by what they say of themselves.

use super::{Bound, Busy, Kernel, Subject, Unit};
use crate::time::arrays;
use crate::time::config::CostEstimate;
use sim_core::engine::Duration;
use sim_core::hlo::{Instruction, Key, Value};
use tensorcore::vmem::pipeline::Direction;
use tensorcore::vpu::cost::{Work, elementwise};

pub(super) fn target(instruction: &Instruction) -> &str {
    match instruction.attr(&Key::CustomCallTarget) {
        Some(Value::String(target)) => target,
        _ => "",
    }
}

/// Custom calls that are marks, or another look at what is there.
pub fn is_free(instruction: &Instruction) -> bool {
    const FREE: [&str; 10] = [
        "AllocateBuffer",
        "ConcatBitcast",
        "Sharding",
        "SPMDFullToShardShape",
        "SPMDShardToFullShape",
        "AssumeGatherIndicesInBound",
        "GatherScatterIndicesBitpacked",
        "SliceToDynamic",
        "annotate_device_placement",
        "LayoutConstraint",
    ];
    FREE.contains(&target(instruction))
}

pub(super) fn cost(subject: &Subject<'_>) -> Kernel {
    match target(subject.instruction) {
        "tpu_custom_call" => mosaic(subject),
        // Words of 64 bits are two arrays of 32: a pass over both.
        "X64SplitLow" | "X64SplitHigh" | "X64Combine" | "MoveToHost" | "MoveToDevice" => {
            passes(subject, Work::NONE, None)
        }
        "TopK" => {
            let reason = "a selection is estimated as a pass for each of the values that are kept";
            let kept = subject.accesses.iter().find(|a| a.direction == Direction::Out);
            let kept = kept.and_then(|a| arrays::sizes(a.array).last().copied()).unwrap_or(1) as f64;
            let input = subject.accesses.first().map_or(0.0, |a| arrays::registers(a.array));
            passes(subject, Work { alu: 3.0 * kept * input, ..Work::NONE }, Some(reason))
        }
        _ => {
            let reason = "a custom call of which only the bytes are known";
            passes(subject, Work::NONE, Some(reason))
        }
    }
}

/// Reads its operands and writes its results once.
fn passes(subject: &Subject<'_>, work: Work, reason: Option<&'static str>) -> Kernel {
    let mut work = work;
    for access in &subject.accesses {
        let registers = arrays::registers(access.array);
        match access.direction {
            Direction::In => work.loads += registers,
            Direction::Out => work.stores += registers,
        }
    }
    let kernel = subject.in_passes(Unit::Vpu, Busy::of(work, &subject.machine));
    Kernel { estimate: reason, ..kernel }
}

/// A kernel of Pallas, or one that the compiler wrote in Mosaic: what it says it computes and moves, at the units' rates.
fn mosaic(subject: &Subject<'_>) -> Kernel {
    let stated = subject.config.custom_call_config.as_ref().and_then(|c| c.cost_estimate.clone());
    let CostEstimate { flops, transcendentals, bytes_accessed } = stated.unwrap_or_default();
    let machine = &subject.machine;
    let (read, written, padding) = subject.traffic;
    let bytes = if bytes_accessed > 0 { bytes_accessed } else { read.saturating_add(written) };
    let exp =
        elementwise(sim_core::hlo::Opcode::Exponential, sim_core::ElementType::F32).unwrap_or(Work::NONE);
    let vector = Busy::of(exp * (transcendentals as f64 / 1024.0), machine);
    let flops = if flops > 0 { flops as f64 } else { softmax_product(subject) };
    let mxu = Duration::from_seconds(flops / machine.peak_flops());
    let moving = Duration::from_seconds(bytes as f64 / subject.rate());
    let time = mxu.max(vector.vpu).max(moving) + Duration::from_us(machine.units.dma.read_latency_us);
    let bound = match () {
        _ if moving >= mxu && moving >= vector.vpu => Bound::Hbm,
        _ if mxu >= vector.vpu => Bound::Mxu,
        _ => Bound::Vpu,
    };
    Kernel {
        moving,
        mxu,
        vpu: vector.vpu,
        read,
        written,
        padding,
        flops,
        product_flops: flops,
        mxu_flops: flops,
        estimate: Some("a Mosaic kernel is estimated by the operations and bytes that it states"),
        ..Kernel::of(Unit::Mxu, bound, time)
    }
}

/// The compiler's own kernel for softmax(S) V states nothing: its operands are S `[batch, rows, keys]` and V `[batch, keys, columns]`.
fn softmax_product(subject: &Subject<'_>) -> f64 {
    let inputs: Vec<_> = subject.accesses.iter().filter(|a| a.direction == Direction::In).collect();
    let [scores, values] = &inputs[..] else { return 0.0 };
    let (s, v) = (arrays::sizes(scores.array), arrays::sizes(values.array));
    match (&s[..], &v[..]) {
        ([.., rows, keys], [.., also_keys, columns]) if keys == also_keys => {
            let batch: f64 = s[..s.len() - 2].iter().map(|&n| n as f64).product();
            2.0 * batch * *rows as f64 * *keys as f64 * *columns as f64
        }
        _ => 0.0,
    }
}
