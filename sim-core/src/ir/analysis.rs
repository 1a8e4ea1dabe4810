//! How much an operation computes and moves, by formulas on its types: what `tpusim inspect` shows
//! and what a roofline needs. Nothing here knows a chip.
//!
//! **FLOPs** are arithmetic operations on numbers of any type; a fused multiply-add is two, an
//! addition of complex numbers two, a multiplication six. **Transcendentals** (exp, log, tanh, sine,
//! square root, power, division of floats excepted …) are counted apart, one an element, since
//! hardware prices them differently. **Bytes** are what must cross memory when the operation runs by
//! itself: every operand read once, every result written once, elements packed to their bits
//! (`i4`: half a byte); slices, gathers and updates in place touch only the part they name.
//!
//! | operation | FLOPs |
//! |---|---|
//! | elementwise | 1 an element of the result |
//! | dot | 2 · elements of the result · size of the contracted dimensions |
//! | convolution | 2 · elements of the result · window · input features of the kernel (padding counts) |
//! | reduce | (elements in − elements out) · operations of the body |
//! | reduce_window | elements of the result · (window − 1) · operations of the body |
//! | select_and_scatter | elements of the source · ((window − 1) · select + scatter) |
//! | scatter, all_reduce, reduce_scatter | elements of the update or operand · operations of the body |
//! | sort | n · ⌈log2 n⌉ · operations of the comparator, for every row |
//! | top_k | n · ⌈log2 k⌉ + n |
//! | fft | 5 · n · log2 n a transform of n points (half for real ones) |
//! | cholesky | n³ / 3 a matrix; triangular_solve: n² · right-hand sides |
//! | batch_norm inference, training, grad | 4, 8, 13 an element |
//!
//! Control flow costs what its regions cost: the dearest branch; a loop's body once ([`Cost::loops`]
//! says that there were loops, whose trips only a run can tell).

use crate::ir::module::{Function, Module, Operation, RegionId, ValueId};
use crate::ir::op::{Binary, DotDims, Op, Unary};
use crate::ir::symbols::Symbols;
use crate::types::{Dim, TensorType, Type};

/// A sum of work. All counts saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub flops: u64,
    pub transcendentals: u64,
    pub bytes: u64,
    /// Operations that could not be counted, because a dimension is unknown.
    pub unknown: u64,
    /// `while` loops, each counted as one trip.
    pub loops: u64,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.flops = self.flops.saturating_add(other.flops);
        self.transcendentals = self.transcendentals.saturating_add(other.transcendentals);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.unknown = self.unknown.saturating_add(other.unknown);
        self.loops = self.loops.saturating_add(other.loops);
    }
}

/// FLOPs of one operation, transcendentals not among them. `None` if a dimension it depends on is
/// unknown; bounded dimensions count with their bound.
pub fn op_flops(f: &Function, op: &Operation) -> Option<u64> {
    flops(f, op).map(|(flops, _)| flops)
}

/// Transcendental operations of one operation, like [`op_flops`].
pub fn op_transcendentals(f: &Function, op: &Operation) -> Option<u64> {
    flops(f, op).map(|(_, transcendentals)| transcendentals)
}

fn tensor<'f>(f: &'f Function, v: Option<&ValueId>) -> Option<&'f TensorType> {
    f.ty(*v?).as_tensor()
}

fn product(dims: &[Dim]) -> Option<u64> {
    let mut n = 1u64;
    for d in dims {
        match d {
            Dim::Static(size) | Dim::Bounded(size) => n = n.saturating_mul(u64::try_from(*size).ok()?),
            Dim::Dynamic => return None,
        }
    }
    Some(n)
}

/// Elements, unknown sizes by their bounds.
fn elements(t: &TensorType) -> Option<u64> {
    product(&t.dims)
}

fn log2_ceil(n: u64) -> u64 {
    u64::from(n.max(1).next_power_of_two().trailing_zeros())
}

fn is_transcendental(op: Unary) -> bool {
    use Unary as U;
    !matches!(
        op,
        U::Abs
            | U::Ceil
            | U::CountLeadingZeros
            | U::Floor
            | U::Imag
            | U::IsFinite
            | U::Negate
            | U::Not
            | U::Popcnt
            | U::Real
            | U::RoundNearestAfz
            | U::RoundNearestEven
            | U::Sign
            | U::Conj
            | U::IsInf
            | U::IsNegInf
            | U::IsPosInf
            | U::Square
    )
}

/// Operations in a region that is applied to scalars: what one application costs.
fn body(f: &Function, region: Option<&RegionId>) -> (u64, u64) {
    let Some(&region) = region else { return (0, 0) };
    let (mut plain, mut hard) = (0u64, 0u64);
    for &id in &f.region(region).ops {
        let op = f.op(id);
        match &op.op {
            Op::Unary(u, _) if is_transcendental(*u) => hard += 1,
            Op::Binary(Binary::Power | Binary::Atan2) => hard += 1,
            Op::Unary(..) | Op::Binary(_) | Op::Compare { .. } | Op::Select | Op::Clamp => {
                let complex = tensor(f, op.results.first()).is_some_and(|t| t.element.is_complex());
                plain += if complex { complex_weight(&op.op) } else { 1 };
            }
            _ => {}
        }
    }
    (plain, hard)
}

fn complex_weight(op: &Op) -> u64 {
    match op {
        Op::Binary(Binary::Multiply) => 6,
        Op::Binary(Binary::Divide) => 11,
        Op::Unary(Unary::Abs, _) => 4,
        _ => 2,
    }
}

/// (FLOPs, transcendentals)
fn flops(f: &Function, op: &Operation) -> Option<(u64, u64)> {
    let operand = |i: usize| tensor(f, op.operands.get(i));
    let result = || tensor(f, op.results.first());
    let out = || elements(result()?);
    let times = |n: u64, (a, b): (u64, u64)| (n.saturating_mul(a), n.saturating_mul(b));
    let mac = |t: &TensorType| if t.element.is_complex() { 8u64 } else { 2 };
    Some(match &op.op {
        Op::Unary(u, _) if is_transcendental(*u) => (0, out()?),
        Op::Binary(Binary::Power | Binary::Atan2) => (0, out()?),
        Op::Unary(..)
        | Op::Binary(_)
        | Op::BroadcastBinary { .. }
        | Op::Compare { .. }
        | Op::BroadcastCompare { .. }
        | Op::Select
        | Op::BroadcastSelect
        | Op::Clamp
        | Op::ReducePrecision { .. } => {
            let complex = operand(0)?.element.is_complex();
            times(out()?, (if complex { complex_weight(&op.op) } else { 1 }, 0))
        }
        // Scale and zero point: a multiplication and an addition.
        Op::UniformQuantize | Op::UniformDequantize => (out()?.saturating_mul(2), 0),
        Op::Map { .. } => times(out()?, body(f, op.regions.first())),
        Op::DotGeneral { dims, .. } => (dot(operand(0)?, result()?, dims, mac(operand(0)?))?, 0),
        Op::RaggedDot { dims, .. } => (dot(operand(0)?, result()?, &dims.dot, mac(operand(0)?))?, 0),
        Op::Dot { .. } => {
            let k = product(&operand(0)?.dims[operand(0)?.rank().checked_sub(1)?..])?;
            (out()?.saturating_mul(k).saturating_mul(mac(operand(0)?)), 0)
        }
        Op::Einsum { config } => {
            let ((l, r), result) =
                config.split_once("->").and_then(|(a, b)| Some((a.split_once(',')?, b)))?;
            let (mut k, mut seen) = (1u64, String::new());
            for (term, t) in [(l.trim(), operand(0)?), (r.trim(), operand(1)?)] {
                for (c, d) in term.chars().zip(&t.dims) {
                    if !result.contains(c) && !seen.contains(c) {
                        k = k.saturating_mul(product(&[*d])?);
                        seen.push(c);
                    }
                }
            }
            (out()?.saturating_mul(k).saturating_mul(mac(operand(0)?)), 0)
        }
        Op::Convolution(a) | Op::DynamicConv(a) => {
            let kernel = operand(1)?;
            let outputs = product(&[*kernel.dims.get(a.dims.kernel_output_feature as usize)?])?;
            let per_output = elements(kernel)?.checked_div(outputs).unwrap_or(0);
            (out()?.saturating_mul(per_output).saturating_mul(mac(kernel)), 0)
        }
        Op::Reduce { .. } => {
            let applications = elements(operand(0)?)?.saturating_sub(out()?);
            times(applications, body(f, op.regions.first()))
        }
        Op::ReduceWindow(w) => {
            let window = w.dimensions.iter().fold(1u64, |n, &d| n.saturating_mul(d.max(0) as u64));
            times(out()?.saturating_mul(window.saturating_sub(1)), body(f, op.regions.first()))
        }
        Op::SelectAndScatter(w) => {
            let window = w.dimensions.iter().fold(1u64, |n, &d| n.saturating_mul(d.max(0) as u64));
            let source = elements(operand(1)?)?;
            let (select, scatter) = (body(f, op.regions.first()), body(f, op.regions.get(1)));
            let (a, b) = times(source.saturating_mul(window.saturating_sub(1)), select);
            let (c, d) = times(source, scatter);
            (a.saturating_add(c), b.saturating_add(d))
        }
        Op::Scatter { .. } => {
            let updates = tensor(f, op.operands.last())?;
            times(elements(updates)?, body(f, op.regions.first()))
        }
        Op::AllReduce(_) | Op::ReduceScatter { .. } | Op::CollectiveReduce(_) => {
            let mut n = 0u64;
            for v in &op.operands {
                n = n.saturating_add(elements(tensor(f, Some(v))?)?);
            }
            times(n, body(f, op.regions.first()))
        }
        Op::CrossReplicaSum(_) => (out()?, 0),
        Op::Sort { dim, .. } => {
            let t = operand(0)?;
            let at = if *dim < 0 { dim + t.rank() as i64 } else { *dim };
            let n = product(&[*t.dims.get(usize::try_from(at).ok()?)?])?;
            times(elements(t)?.saturating_mul(log2_ceil(n)), body(f, op.regions.first()))
        }
        Op::TopK { k, .. } => {
            let n = elements(operand(0)?)?;
            (n.saturating_mul(log2_ceil((*k).max(0) as u64) + 1), 0)
        }
        Op::Fft { length, .. } => {
            let points = length.iter().fold(1u64, |n, &d| n.saturating_mul(d.max(0) as u64));
            let (x, y) = (operand(0)?, result()?);
            let real = !x.element.is_complex() || !y.element.is_complex();
            let batch = product(&x.dims[..x.rank().checked_sub(length.len())?])?;
            let log = (points.max(1) as f64).log2();
            let one = if real { 2.5 } else { 5.0 } * points as f64 * log;
            (batch.saturating_mul(one as u64), 0)
        }
        Op::Cholesky { .. } => {
            let t = operand(0)?;
            let n = product(&t.dims[t.rank().checked_sub(1)?..])?;
            (elements(t)?.saturating_mul(n).saturating_mul(mac(t) / 2) / 3, 0)
        }
        Op::TriangularSolve { .. } => {
            let (a, b) = (operand(0)?, operand(1)?);
            let n = product(&a.dims[a.rank().checked_sub(1)?..])?;
            (elements(b)?.saturating_mul(n).saturating_mul(mac(a) / 2), 0)
        }
        Op::BatchNormInference { .. } => (elements(operand(0)?)?.saturating_mul(4), 0),
        Op::BatchNormTraining { .. } => (elements(operand(0)?)?.saturating_mul(8), 0),
        Op::BatchNormGrad { .. } => (elements(operand(0)?)?.saturating_mul(13), 0),
        _ => (0, 0),
    })
}

/// Multiply-adds of a dot: every element of the result sums over the contracted dimensions.
fn dot(lhs: &TensorType, out: &TensorType, d: &DotDims, per_mac: u64) -> Option<u64> {
    let mut k = 1u64;
    for &c in &d.lhs_contract {
        k = k.saturating_mul(product(&[*lhs.dims.get(usize::try_from(c).ok()?)?])?);
    }
    Some(elements(out)?.saturating_mul(k).saturating_mul(per_mac))
}

/// Bytes of a value, elements packed; of a tuple, of all its parts; tokens have none.
pub fn type_bytes(ty: &Type) -> Option<u64> {
    let (mut sum, mut todo) = (0u64, vec![ty]);
    while let Some(ty) = todo.pop() {
        match ty {
            Type::Tensor(t) | Type::Buffer(t) => {
                sum =
                    sum.saturating_add(elements(t)?.saturating_mul(u64::from(t.element.bits())).div_ceil(8));
            }
            Type::Tuple(parts) | Type::Future(parts) => todo.extend(parts.iter()),
            _ => {}
        }
    }
    Some(sum)
}

/// Bytes one operation reads and writes when it runs by itself. `None` if a dimension is unknown.
pub fn op_bytes(f: &Function, op: &Operation) -> Option<u64> {
    let sum = |values: &[ValueId]| {
        values.iter().try_fold(0u64, |n, &v| Some(n.saturating_add(type_bytes(f.ty(v))?)))
    };
    Some(match &op.op {
        // No data moves, or it moves inside the regions and callees.
        Op::Constant(_)
        | Op::Reshape
        | Op::BitcastConvert
        | Op::Tuple
        | Op::GetTupleElement { .. }
        | Op::OptimizationBarrier
        | Op::AfterAll
        | Op::CreateToken
        | Op::GetDimensionSize { .. }
        | Op::SetDimensionSize { .. }
        | Op::If
        | Op::Case
        | Op::While
        | Op::Call { .. }
        | Op::Composite { .. }
        | Op::AsyncStart
        | Op::AsyncDone
        | Op::SdyShardingConstraint
        | Op::SdyReshard
        | Op::SdyPropagationBarrier
        | Op::SdyShardingGroup
        | Op::SdyManualComputation
        | Op::SdyNamedComputation { .. } => 0,
        // Read the part, write the part.
        Op::Slice { .. } | Op::DynamicSlice { .. } | Op::RealDynamicSlice => {
            sum(&op.results)?.saturating_mul(2)
        }
        Op::Gather { .. } | Op::DynamicGather { .. } | Op::TorchIndexSelect { .. } => {
            sum(&op.results)?.saturating_mul(2).saturating_add(sum(op.operands.get(1..2)?)?)
        }
        // In place: the update is read, the part under it written.
        Op::DynamicUpdateSlice => sum(op.operands.get(1..2)?)?.saturating_mul(2),
        Op::Scatter { .. } => {
            // Updates are read, the elements under them read and written, the indices read.
            let n = op.operands.len() / 2;
            let updates = sum(op.operands.get(n + 1..)?)?;
            updates.saturating_mul(3).saturating_add(sum(op.operands.get(n..n + 1)?)?)
        }
        _ => sum(&op.operands)?.saturating_add(sum(&op.results)?),
    })
}

/// Everything one operation costs, its regions and callees not among it.
pub fn op_cost(f: &Function, op: &Operation) -> Cost {
    match (flops(f, op), op_bytes(f, op)) {
        (Some((flops, transcendentals)), Some(bytes)) => {
            Cost { flops, transcendentals, bytes, loops: u64::from(matches!(op.op, Op::While)), unknown: 0 }
        }
        _ => Cost { unknown: 1, ..Cost::default() },
    }
}

/// Do the operation's regions run as they stand (and not once an element)?
fn runs_regions(op: &Op) -> bool {
    matches!(
        op,
        Op::If
            | Op::Case
            | Op::While
            | Op::AsyncStart
            | Op::SdyManualComputation
            | Op::SdyNamedComputation { .. }
            | Op::Scan { .. }
    )
}

/// What running a function of a module costs, with everything it calls.
///
/// # Errors
/// Kind `Invalid` when the module's symbols are not unique.
pub fn function_cost(module: &Module, function: &Function) -> crate::Result<Cost> {
    let symbols = Symbols::new(module)?;
    let functions: Vec<_> = symbols.functions().collect();
    let Some(root) = functions.iter().position(|(_, f)| std::ptr::eq(*f, function)) else {
        return Ok(own_cost(function, |_| Cost::default()));
    };
    // Callees first: a function is finished once all that it calls are. Recursion, which `verify`
    // refuses, counts as nothing.
    let mut done: Vec<Option<Cost>> = vec![None; functions.len()];
    let mut open = vec![false; functions.len()];
    let mut stack = vec![root];
    while let Some(&i) = stack.last() {
        let (scope, f) = functions[i];
        if done[i].is_some() {
            stack.pop();
            continue;
        }
        let callee = |op: &Op| match op {
            Op::Call { callee } | Op::Composite { decomposition: callee, .. } => {
                scope.function(callee).map(|(n, _)| n)
            }
            _ => None,
        };
        let missing: Vec<usize> = f
            .ops
            .iter()
            .filter_map(|op| callee(&op.op))
            .filter(|&n| done[n].is_none() && !open[n] && n != i)
            .collect();
        if !open[i] && !missing.is_empty() {
            open[i] = true;
            stack.extend(missing);
            continue;
        }
        done[i] = Some(own_cost(f, |op| callee(op).and_then(|n| done[n]).unwrap_or_default()));
        stack.pop();
    }
    Ok(done[root].unwrap_or_default())
}

/// A function's operations, regions by the rules above; `call` gives what a callee costs.
fn own_cost(f: &Function, call: impl Fn(&Op) -> Cost) -> Cost {
    struct Frame {
        region: RegionId,
        op: usize,
        child: usize,
        sum: Cost,
        dearest: Cost,
    }
    let frame = |region| Frame { region, op: 0, child: 0, sum: Cost::default(), dearest: Cost::default() };
    let Some(body) = f.body else { return Cost::default() };
    let mut stack = vec![frame(body)];
    let mut total = Cost::default();
    while let Some(top) = stack.last_mut() {
        let Some(&id) = f.region(top.region).ops.get(top.op) else {
            total = top.sum;
            stack.pop();
            if let Some(parent) = stack.last_mut() {
                let op = &f.op(f.region(parent.region).ops[parent.op]).op;
                if matches!(op, Op::If | Op::Case) {
                    if (total.flops, total.bytes) >= (parent.dearest.flops, parent.dearest.bytes) {
                        parent.dearest = total;
                    }
                } else {
                    parent.sum.add(total);
                }
            }
            continue;
        };
        let op = f.op(id);
        if top.child == 0 {
            top.sum.add(op_cost(f, op));
            top.sum.add(call(&op.op));
        }
        match op.regions.get(top.child) {
            Some(&region) if runs_regions(&op.op) => {
                top.child += 1;
                stack.push(frame(region));
            }
            _ => {
                let dearest = std::mem::take(&mut top.dearest);
                top.sum.add(dearest);
                (top.op, top.child) = (top.op + 1, 0);
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::ElementType as E;
    use crate::ir::FunctionBuilder;
    use crate::loc::Loc;

    #[test]
    fn a_matmul_and_an_exponential() {
        let mut b = FunctionBuilder::new("main");
        let args = b.open_body(&[Type::tensor(E::F32, &[4, 8]), Type::tensor(E::F32, &[8, 16])]);
        let dims = DotDims { lhs_contract: vec![1], rhs_contract: vec![0], ..DotDims::default() };
        let dot = Op::DotGeneral { dims, precision: vec![], algorithm: None };
        let y = b.op(dot, &args, Type::tensor(E::F32, &[4, 16]), &Loc::Unknown);
        let z =
            b.op(Op::Unary(Unary::Exponential, None), &[y], Type::tensor(E::F32, &[4, 16]), &Loc::Unknown);
        b.close_region(&[z], Loc::Unknown, Default::default());
        let f = b.finish();
        assert_eq!(op_flops(&f, &f.ops[0]), Some(2 * 4 * 16 * 8));
        assert_eq!(op_bytes(&f, &f.ops[0]), Some(4 * (32 + 128 + 64)));
        let module = Module { functions: vec![f], ..Module::default() };
        let cost = function_cost(&module, &module.functions[0]).unwrap();
        assert_eq!((cost.flops, cost.transcendentals, cost.unknown), (1024, 64, 0));
    }

    #[test]
    fn packed_bytes_and_unknown_sizes() {
        assert_eq!(type_bytes(&Type::tensor(E::S4, &[3])), Some(2));
        assert_eq!(type_bytes(&TensorType::new(E::F32, [Dim::Dynamic]).into()), None);
        assert_eq!(type_bytes(&TensorType::new(E::F32, [Dim::Bounded(3)]).into()), Some(12));
    }
}
