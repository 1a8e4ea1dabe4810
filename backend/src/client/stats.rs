//! What a program will cost, as far as its text says: operations, bytes, memory.
//!
//! The keys are those of XLA's `HloCostAnalysis`, which JAX shows as `compiled.cost_analysis()`: `flops` (two for each
//! multiplication with its addition), `transcendentals`, `bytes accessed` (operands and results of each operation).
//! A loop counts once, as there, since nobody knows its trips.

use super::memory::MemoryKind;
use super::program::{Donation, Port, Program};
use super::topology::{Attribute, Attributes};
use crate::plan::FunctionPlan;
use sim_core::ir::{Function, Op, Operation, ValueId};
use sim_core::{Dim, Type};
use std::collections::{HashMap, HashSet};

/// Bytes in one kind of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    pub arguments: u64,
    pub results: u64,
    /// Of the arguments, what results lie in.
    pub aliased: u64,
    pub temporaries: u64,
}

/// What `compiled.memory_analysis()` shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStats {
    pub code: u64,
    pub device: Bytes,
    pub host: Bytes,
}

impl MemoryStats {
    /// Most bytes of the device at once.
    pub fn peak(&self) -> u64 {
        let d = self.device;
        (d.arguments + d.temporaries).saturating_add(d.results.saturating_sub(d.aliased))
    }
}

/// Counts of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cost {
    flops: f64,
    transcendentals: f64,
    bytes: f64,
}

impl Program {
    /// By name: `flops`, `transcendentals`, `bytes accessed`.
    pub fn cost_analysis(&self) -> Attributes {
        let mut cost = Cost::default();
        self.module.functions.iter().for_each(|f| add(&mut cost, f));
        let value = |name: &'static str, x: f64| (name, Attribute::Float(x as f32));
        vec![
            value("flops", cost.flops),
            value("transcendentals", cost.transcendentals),
            value("bytes accessed", cost.bytes),
        ]
    }

    /// Temporaries are what is alive at once in the entry, beside arguments and results, if each operation runs by
    /// itself and in its place.
    pub fn memory_stats(&self) -> MemoryStats {
        let mut stats = MemoryStats { code: self.source.len() as u64, ..MemoryStats::default() };
        let sum = |ports: &[Port], device: bool| -> u64 {
            let of = |p: &&Port| (p.kind == MemoryKind::Device) == device;
            ports.iter().filter(of).map(|p| p.ty.device_bytes).fold(0, u64::saturating_add)
        };
        for (device, bytes) in [(true, &mut stats.device), (false, &mut stats.host)] {
            bytes.arguments = sum(&self.parameters, device);
            bytes.results = sum(&self.results, device);
            let aliased = self.donations.iter().filter_map(Donation::result);
            let aliased: Vec<Port> = aliased.map(|i| self.results[i].clone()).collect();
            bytes.aliased = sum(&aliased, device);
        }
        stats.device.temporaries = temporaries(self.executable.program().entry());
        stats
    }
}

/// Elements of a type, bounds for open sizes.
fn elements(ty: &Type) -> f64 {
    let size = |d: &Dim| match *d {
        Dim::Static(n) | Dim::Bounded(n) => n as f64,
        Dim::Dynamic => 1.0,
    };
    ty.as_tensor().map_or(0.0, |t| t.dims.iter().map(size).product())
}

fn bytes(ty: &Type) -> f64 {
    ty.as_tensor().map_or(0.0, |t| t.element.byte_size() as f64 * elements(ty))
}

fn add(cost: &mut Cost, f: &Function) {
    for op in &f.ops {
        let out: f64 = op.results.iter().map(|&v| elements(f.ty(v))).sum();
        match &op.op {
            Op::Constant(_) | Op::Tuple | Op::GetTupleElement { .. } => continue,
            _ => {}
        }
        cost.bytes += op.operands.iter().chain(&op.results).map(|&v| bytes(f.ty(v))).sum::<f64>();
        match kind(op) {
            Kind::Free => {}
            Kind::Arithmetic => cost.flops += out,
            Kind::Transcendental => cost.transcendentals += out,
            Kind::Reduction => cost.flops += op.operands.first().map_or(0.0, |&v| elements(f.ty(v))) - out,
            Kind::Product => cost.flops += product(op, f, out),
        }
    }
}

enum Kind {
    Free,
    Arithmetic,
    Transcendental,
    Reduction,
    Product,
}

fn kind(op: &Operation) -> Kind {
    let name = op.name();
    match name.strip_prefix("stablehlo.").or_else(|| name.strip_prefix("chlo.")).unwrap_or(name) {
        "exponential"
        | "exponential_minus_one"
        | "log"
        | "log_plus_one"
        | "logistic"
        | "tanh"
        | "tan"
        | "sine"
        | "cosine"
        | "sqrt"
        | "rsqrt"
        | "cbrt"
        | "power"
        | "atan2"
        | "erf" => Kind::Transcendental,
        "add"
        | "subtract"
        | "multiply"
        | "divide"
        | "remainder"
        | "maximum"
        | "minimum"
        | "negate"
        | "abs"
        | "sign"
        | "compare"
        | "select"
        | "clamp"
        | "and"
        | "or"
        | "xor"
        | "not"
        | "floor"
        | "ceil"
        | "round_nearest_even"
        | "round_nearest_afz"
        | "shift_left"
        | "shift_right_logical"
        | "shift_right_arithmetic"
        | "is_finite"
        | "popcnt"
        | "count_leading_zeros"
        | "map" => Kind::Arithmetic,
        "reduce" | "reduce_window" | "scatter" | "select_and_scatter" => Kind::Reduction,
        "dot_general" | "dot" | "convolution" | "dynamic_conv" => Kind::Product,
        _ => Kind::Free,
    }
}

/// Two operations for each multiplication with its addition.
fn product(op: &Operation, f: &Function, out: f64) -> f64 {
    let (Some(&lhs), Some(&rhs)) = (op.operands.first(), op.operands.get(1)) else { return 0.0 };
    let size = |v, d: usize| {
        let t = f.ty(v).as_tensor();
        t.and_then(|t| t.dims.get(d).and_then(|d| d.as_static())).map_or(1.0, |n| n as f64)
    };
    let depth: f64 = match &op.op {
        Op::DotGeneral { dims, .. } => dims.lhs_contract.iter().map(|&d| size(lhs, d as usize)).product(),
        Op::Dot { .. } => f.ty(lhs).as_tensor().map_or(1.0, |t| size(lhs, t.rank().saturating_sub(1))),
        // All of the kernel but its output features.
        Op::Convolution(c) | Op::DynamicConv(c) => {
            elements(f.ty(rhs)) / size(rhs, c.dims.kernel_output_feature as usize).max(1.0)
        }
        _ => 0.0,
    };
    2.0 * out * depth
}

/// Most bytes of values that are neither arguments nor results, alive at once between the steps of the entry.
fn temporaries(entry: &FunctionPlan) -> u64 {
    let f = &entry.function;
    let Some(body) = f.body else { return 0 };
    let block = entry.block(body);
    let kept: HashSet<ValueId> = block.results.iter().map(|o| o.value).collect();
    let mut live: HashMap<ValueId, u64> = HashMap::new();
    let (mut now, mut peak) = (0u64, 0u64);
    for step in &block.steps {
        for &v in step.results.iter().filter(|v| !kept.contains(v)) {
            let size = bytes(f.ty(v)) as u64;
            live.insert(v, size);
            now = now.saturating_add(size);
        }
        peak = peak.max(now);
        let taken = step.operands.iter().filter(|o| o.take).map(|o| &o.value);
        for v in taken.chain(&step.drops) {
            now = now.saturating_sub(live.remove(v).unwrap_or(0));
        }
    }
    peak
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::{Source, parse};

    fn cost(text: &str) -> Cost {
        let module = parse(&Source::from_bytes("t.mlir", text)).unwrap().remove(0);
        let mut cost = Cost::default();
        module.functions.iter().for_each(|f| add(&mut cost, f));
        cost
    }

    #[test]
    fn products_count_two_a_multiplication() {
        let c = cost(
            "func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
               %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
               %1 = stablehlo.tanh %0 : tensor<8x4xf32>
               return %1 : tensor<8x4xf32>
             }",
        );
        assert_eq!(c.flops, 2.0 * 8.0 * 16.0 * 4.0);
        assert_eq!(c.transcendentals, 32.0);
        assert_eq!(c.bytes, 4.0 * (128.0 + 64.0 + 32.0 + 32.0 + 32.0));
    }

    #[test]
    fn convolutions_and_reductions() {
        let c = cost(
            "func.func @main(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>, %z: tensor<f32>) -> tensor<1x8x8xf32> {
               %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                 window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
                 : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>
               %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [3]
                 : (tensor<1x8x8x16xf32>, tensor<f32>) -> tensor<1x8x8xf32>
               return %1 : tensor<1x8x8xf32>
             }",
        );
        // The body of the reduction is an addition that counts itself once, as a function of scalars.
        assert_eq!(c.flops, 2.0 * 27.0 * 1024.0 + (1024.0 - 64.0) + 1.0);
    }
}
