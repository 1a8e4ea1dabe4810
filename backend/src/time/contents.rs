//! What a computation that one kernel runs asks of the units, and of each of its operands.
//!
//! A fusion is walked twice: backwards, to know which values go into a product's left or right side (XLA:TPU computes those again for
//! each window in which the product needs them), and forwards, to count. Nested fusions are counted where they stand.

use super::arrays::{self, arrays, registers};
use super::product::Site;
use super::touched::{Touched, part_bytes, same_memory, touch};
use rustc_hash::FxHashMap;
use sim_core::ElementType as E;
use sim_core::chip::Units;
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, HloModule, Instruction, Key, Opcode, Shape, Value,
};
use smallvec::SmallVec;
use std::rc::Rc;
use tensorcore::vpu::cost::{Work, elementwise};

/// Accesses by index, one row at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Indexed {
    /// Rows that are gathered.
    pub gathered: f64,
    /// Rows into which something is scattered.
    pub scattered: f64,
}

/// What of a computation matters to time.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// By parameter.
    pub read: Vec<Touched>,
    /// By array of the result.
    pub written: Vec<Touched>,
    /// The parameter that the result is, seen otherwise.
    pub handed_on: Option<u32>,
    /// Of what goes into the left side of the product, into the right side, and the rest; all of it in the last without a product.
    pub work: [Work; 3],
    /// Operations on values, those of products included.
    pub flops: f64,
    /// Of those, the products' own.
    pub product_flops: f64,
    /// The last product: what the kernel's windows are of.
    pub product: Option<Rc<Site>>,
    /// Products before it, fused into one of its sides or beside it.
    pub further: Vec<Rc<Site>>,
    /// Parameters that go into either side of the product, as bits; those from 63 on share the last.
    pub sides: [u64; 2],
    pub indexed: Indexed,
    /// Work of sorting, in the vector and lane units.
    pub sorts: Work,
    /// Bytes that a collective inside moves, with its instruction's opcode.
    pub collective: Option<(Opcode, u64)>,
}

/// More products than that in one kernel are not looked at one by one.
const MOST_PRODUCTS: usize = 64;

impl Contents {
    fn take(&mut self, site: Rc<Site>) {
        let before = self.product.replace(site);
        self.further.extend(before.filter(|_| self.further.len() < MOST_PRODUCTS));
    }

    pub fn total_work(&self) -> Work {
        self.work[0] + self.work[1] + self.work[2] + self.sorts
    }
}

/// Contents by computation, each looked at once.
pub struct Catalogue<'a> {
    module: &'a HloModule,
    units: &'a Units,
    known: FxHashMap<ComputationId, Rc<Contents>>,
    /// Calls within calls, so far.
    depth: u32,
    /// A computation that is deeper in others than is looked at, or within itself.
    pub too_deep: Option<ComputationId>,
}

/// Computations nest no deeper within a kernel.
const DEEPEST: u32 = 64;

impl<'a> Catalogue<'a> {
    pub fn new(module: &'a HloModule, units: &'a Units) -> Catalogue<'a> {
        Catalogue { module, units, known: FxHashMap::default(), depth: 0, too_deep: None }
    }

    pub fn of(&mut self, id: ComputationId) -> Rc<Contents> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        if self.depth == DEEPEST {
            self.too_deep.get_or_insert(id);
            return Rc::default();
        }
        self.depth += 1;
        let contents = Rc::new(self.look(self.module.computation(id)));
        self.depth -= 1;
        self.known.insert(id, contents.clone());
        contents
    }

    /// Of an instruction that is a kernel of its own: its operands are the parameters.
    pub fn of_single(&mut self, instruction: &Instruction, operands: &[&Shape]) -> Contents {
        let mut contents = Contents {
            read: vec![Touched::Whole; operands.len()],
            written: vec![Touched::Whole; arrays(&instruction.shape).len()],
            ..Contents::default()
        };
        let (work, flops) = self.count(instruction, operands, &mut contents);
        contents.work[2] += work + conversions(instruction, operands, self.units);
        contents.flops += flops;
        if let (Some(_), [_, _, ..]) = (&contents.product, operands) {
            contents.sides = [1, 2];
        }
        let part = |shape: &Shape, like: Option<&&Shape>| {
            Touched::Part(part_bytes(shape, like.and_then(|s| s.as_array())))
        };
        match instruction.opcode {
            Opcode::DynamicSlice | Opcode::Slice | Opcode::Gather if !operands.is_empty() => {
                contents.read[0] = part(&instruction.shape, operands.first());
            }
            Opcode::DynamicUpdateSlice if operands.len() > 1 => {
                contents.read[0] = Touched::Nothing;
                contents.written = vec![part(operands[1], operands.first())];
            }
            Opcode::Scatter => {
                // Arrays, indices, updates of each array.
                let arrays = operands.len().saturating_sub(1) / 2;
                for i in 0..arrays {
                    contents.read[i] = part(operands[arrays + 1 + i], operands.get(i));
                }
                contents.written = contents.read[..arrays].to_vec();
            }
            _ => {}
        }
        contents
    }

    fn look(&mut self, computation: &Computation) -> Contents {
        let instructions = &computation.instructions;
        let shape_of = |i: usize| &*instructions[i].shape;
        let parameters = computation.parameters();
        let mut contents = Contents { read: vec![Touched::Nothing; parameters.len()], ..Contents::default() };
        let inner: Vec<Option<Rc<Contents>>> = instructions
            .iter()
            .map(|i| match i.opcode {
                Opcode::Fusion | Opcode::Call => i.called().next().map(|c| self.of(c)),
                Opcode::AsyncStart if on_sparsecore(i) => i.called().next().map(|c| self.of(c)),
                _ => None,
            })
            .collect();
        // Which of the product's sides a value goes into, as bits.
        let mut sides = vec![0u8; instructions.len()];
        for (i, instruction) in instructions.iter().enumerate().rev() {
            let within = inner[i].as_ref().filter(|c| c.product.is_some());
            for (n, operand) in instruction.operands.iter().enumerate() {
                sides[operand.0 as usize] |= match (instruction.opcode, within) {
                    (Opcode::Convolution | Opcode::Dot | Opcode::RaggedDot, _) if n < 2 => 1 << n,
                    (_, Some(within)) => {
                        let bit = 1u64 << n.min(63);
                        (within.sides[0] & bit != 0) as u8 | ((within.sides[1] & bit != 0) as u8) << 1
                    }
                    _ => sides[i],
                };
            }
        }
        for (i, instruction) in instructions.iter().enumerate() {
            let side = match sides[i] {
                1 => 0,
                2 => 1,
                _ => 2,
            };
            if let Some(inner) = &inner[i] {
                // Nothing moves where memory is only seen in other tiles.
                if same_memory(instruction).is_some() {
                    continue;
                }
                self.add(&mut contents, inner, side);
            } else {
                let operands: smallvec::SmallVec<[&Shape; 4]> =
                    instruction.operands.iter().map(|o| shape_of(o.0 as usize)).collect();
                let (work, flops) = self.count(instruction, &operands, &mut contents);
                contents.work[side] += work;
                contents.flops += flops;
            }
            if let Some(n) = instruction.parameter_number.and_then(|n| usize::try_from(n).ok()) {
                for (s, set) in contents.sides.iter_mut().enumerate() {
                    *set |= u64::from(sides[i] >> s & 1) << n.min(63);
                }
            }
        }
        touch(computation, &inner, &parameters, &mut contents);
        contents
    }

    fn add(&mut self, contents: &mut Contents, inner: &Rc<Contents>, side: usize) {
        contents.further.extend(
            inner.further.iter().take(MOST_PRODUCTS - contents.further.len().min(MOST_PRODUCTS)).cloned(),
        );
        if let Some(site) = &inner.product {
            contents.take(site.clone());
            for (sum, work) in contents.work.iter_mut().zip(&inner.work) {
                *sum += *work;
            }
        } else {
            contents.work[side] += inner.work[0] + inner.work[1] + inner.work[2];
        }
        contents.flops += inner.flops;
        contents.product_flops += inner.product_flops;
        contents.sorts += inner.sorts;
        contents.indexed.gathered += inner.indexed.gathered;
        contents.indexed.scattered += inner.indexed.scattered;
        contents.collective = contents.collective.or(inner.collective);
    }

    /// What one instruction asks of the vector and lane units, and its operations on values. Products, sorts and accesses by index are
    /// noted in `contents`.
    fn count(
        &mut self,
        instruction: &Instruction,
        operands: &[&Shape],
        contents: &mut Contents,
    ) -> (Work, f64) {
        let result = arrays(&instruction.shape);
        let Some(out) = result.first() else { return (Work::NONE, 0.0) };
        let operand = |n: usize| operands.get(n).and_then(|s| s.as_array());
        let opcode = instruction.opcode;
        if let (Opcode::Convert, Some(from)) = (opcode, operand(0))
            && let Some(one) = f16(from.element, out.element, self.units)
        {
            return (one * registers(out), 0.0);
        }
        if let Some(one) = elementwise(opcode, computes_in(opcode, out, operand(0))) {
            // Narrow floats that a fusion does not convert are computed packed.
            let packed =
                if out.element.is_float() { f64::from(out.element.bits().min(32)) / 32.0 } else { 1.0 };
            let packed = if opcode == Opcode::Convert { 1.0 } else { packed };
            let size = result.iter().map(|a| registers(a)).sum::<f64>() * packed;
            let counted = !matches!(opcode, Opcode::Convert | Opcode::Iota | Opcode::BitcastConvert);
            return (one * size, if counted { arrays::elements(out) } else { 0.0 });
        }
        match opcode {
            Opcode::Reduce | Opcode::Map => {
                let inputs = operands.len() / 2;
                let (per, input) = (self.applied(instruction), operand(0).unwrap_or(out));
                let mut work = per * registers(input);
                if opcode == Opcode::Reduce && inputs > 0 {
                    work += across_lanes(input, dimensions(instruction)) * inputs as f64;
                }
                (work, arrays::elements(input))
            }
            Opcode::ReduceWindow if let Some(reduced) = whole_windows(instruction, operand(0)) => {
                let input = operand(0).unwrap_or(out);
                let work = self.applied(instruction) * registers(input) + across_lanes(input, &reduced);
                (work, arrays::elements(input))
            }
            Opcode::ReduceWindow | Opcode::SelectAndScatter => {
                let size: f64 = match instruction.attr(&Key::Window) {
                    Some(Value::Window(dims)) => dims.iter().map(|d| window_steps(d.size)).product(),
                    _ => 1.0,
                };
                let larger = operand(0).map_or(0.0, registers).max(registers(out));
                (self.applied(instruction) * (larger * size), arrays::elements(out) * size)
            }
            Opcode::Convolution | Opcode::Dot | Opcode::RaggedDot | Opcode::ScaledDot => {
                if let Some(site) = Site::of(instruction, operands) {
                    let own = 2.0 * site.multiplications();
                    (contents.flops, contents.product_flops) =
                        (contents.flops + own, contents.product_flops + own);
                    contents.take(Rc::new(site));
                }
                // Results leave in f32; a narrower type is packed.
                let narrow = Work { alu: if out.element.bits() < 32 { 1.0 } else { 0.0 }, ..Work::NONE };
                (f16(E::F32, out.element, self.units).unwrap_or(narrow) * registers(out), 0.0)
            }
            // To other places in registers, unless all stays in order.
            Opcode::Transpose | Opcode::Reverse | Opcode::Reshape | Opcode::Copy => {
                let kept =
                    operand(0).is_some_and(|a| arrays::same_order(a, out)) && opcode != Opcode::Reverse;
                let packed = f64::from(out.element.bits().min(32)) / 32.0;
                (if kept { Work::NONE } else { Work::xlu(registers(out) * packed) }, 0.0)
            }
            // Chosen by where the result's register lies, and shifted to its place.
            Opcode::Concatenate | Opcode::Pad => (Work { alu: registers(out), ..Work::NONE }, 0.0),
            Opcode::Sort | Opcode::TopK => {
                let input = operand(0).unwrap_or(out);
                let all = sorting(input, operands.len(), dimensions(instruction));
                // Few are kept in a pass for each (an estimate, as for the custom call that XLA:TPU makes of it).
                let kept = arrays::sizes(out).last().copied().unwrap_or(1) as f64;
                let few = Work { alu: 3.0 * kept * registers(input), ..Work::NONE };
                let is_few = opcode == Opcode::TopK && few.alu < all.alu;
                contents.sorts += if is_few { few } else { all };
                (Work::NONE, arrays::elements(input))
            }
            Opcode::Gather => {
                contents.indexed.gathered += rows(instruction, out, &Key::OffsetDims);
                (Work::NONE, 0.0)
            }
            Opcode::Scatter => {
                if let Some(updates) = operand(operands.len() / 2 + 1) {
                    contents.indexed.scattered += rows(instruction, updates, &Key::UpdateWindowDims);
                }
                (Work::NONE, 0.0)
            }
            Opcode::AllReduce | Opcode::AllGather | Opcode::ReduceScatter | Opcode::AllToAll => {
                let all = operands.iter().flat_map(|s| arrays(s)).map(arrays::bytes);
                let bytes = all.fold(0, u64::saturating_add);
                contents.collective.get_or_insert((opcode, bytes));
                (Work::NONE, 0.0)
            }
            _ => (Work::NONE, 0.0),
        }
    }

    /// A region's operations, per register.
    fn applied(&mut self, instruction: &Instruction) -> Work {
        let Some(region) = instruction.called().next() else { return Work { alu: 1.0, ..Work::NONE } };
        let computation = self.module.computation(region);
        let one = |i: &Instruction| {
            let element = i.shape.as_array().map(|a| a.element)?;
            elementwise(i.opcode, element)
        };
        let sum = computation.instructions.iter().filter_map(one).fold(Work::NONE, |sum, w| sum + w);
        if sum == Work::NONE { Work { alu: 1.0, ..Work::NONE } } else { sum }
    }
}

/// Is it started on a SparseCore?
pub(super) fn on_sparsecore(instruction: &Instruction) -> bool {
    matches!(instruction.attr(&Key::AsyncExecutionThread), Some(Value::String(thread)) if &**thread == "sparsecore")
}

/// A conversion from or to f16, which no unit of a TPU knows.
pub(super) fn f16(from: E, to: E, units: &Units) -> Option<Work> {
    let alu = match (from, to) {
        (E::F16, E::F16) => return None,
        (E::F16, _) => units.vpu.f16_widen_operations,
        (_, E::F16) => units.vpu.f16_pack_operations,
        _ => return None,
    };
    Some(Work { alu, ..Work::NONE })
}

/// An elementwise operation that is a kernel of its own unpacks narrow floats and packs its result: the loop of XLA:TPU is that of f32
/// (addition of bf16 in VMEM on v6e takes four operations for 1,024 values).
fn conversions(instruction: &Instruction, operands: &[&Shape], units: &Units) -> Work {
    let narrow = |a: &ArrayShape| a.element.is_float() && a.element.bits() < 32 && !a.dims.is_empty();
    let Some(out) = instruction.shape.as_array().filter(|a| narrow(a)) else { return Work::NONE };
    let moves = matches!(
        instruction.opcode,
        Opcode::Copy | Opcode::Convert | Opcode::BitcastConvert | Opcode::Select
    );
    let Some(one) = elementwise(instruction.opcode, out.element).filter(|_| !moves) else {
        return Work::NONE;
    };
    let unpacked = operands.iter().filter_map(|s| s.as_array()).filter(|a| narrow(a)).count() as f64;
    // What was counted as packed is half of it.
    let half = 1.0 - f64::from(out.element.bits()) / 32.0;
    let step = Work { alu: 1.0, ..Work::NONE };
    let unpack = f16(out.element, E::F32, units).unwrap_or(step) * unpacked;
    (one * half + unpack + f16(E::F32, out.element, units).unwrap_or(step)) * registers(out)
}

/// The type in which an operation computes: a comparison in its operands'.
fn computes_in(opcode: Opcode, out: &ArrayShape, operand: Option<&ArrayShape>) -> E {
    match (opcode, operand) {
        (Opcode::Compare | Opcode::Convert, Some(operand)) if operand.element.bits() > out.element.bits() => {
            operand.element
        }
        _ => out.element,
    }
}

pub(super) fn dimensions(instruction: &Instruction) -> &[i64] {
    match instruction.attr(&Key::Dimensions) {
        Some(Value::Ints(dims)) => dims,
        _ => &[],
    }
}

/// The dimensions over which every window of a `reduce-window` has all values: `2n - 1` of them around each of `n`. XLA:TPU writes a
/// reduction whose result is broadcast back so, in kernels that need it at full size (softmax), and computes it as a reduction.
fn whole_windows(instruction: &Instruction, input: Option<&ArrayShape>) -> Option<SmallVec<[i64; 2]>> {
    let Some(Value::Window(window)) = instruction.attr(&Key::Window) else { return None };
    let sizes = arrays::sizes(input?);
    let mut reduced = SmallVec::new();
    for (d, w) in window.iter().enumerate() {
        let n = i64::try_from(*sizes.get(d)?).ok()?;
        let plain = w.stride <= 1 && w.base_dilation <= 1 && w.window_dilation <= 1;
        let padding = [w.pad_low, w.pad_high];
        if plain && n > 1 && w.size == 2 * n - 1 && padding == [n - 1, n - 1] {
            reduced.push(d as i64);
        } else if w.size != 1 {
            return None;
        }
    }
    (!reduced.is_empty()).then_some(reduced)
}

/// A window that slides by one is computed by doubling; one value more a step.
fn window_steps(size: i64) -> f64 {
    let n = size.max(1) as f64;
    n.min(2.0 * n.log2() + 1.0)
}

/// What is left when all registers are added up: sums over the 128 lanes or the 8 sublanes within registers.
fn across_lanes(input: &ArrayShape, reduced: &[i64]) -> Work {
    let physical = arrays::physical(input);
    let is = |n: usize| {
        physical
            .len()
            .checked_sub(n)
            .and_then(|i| physical.get(i))
            .is_some_and(|&(d, _)| reduced.contains(&(d as i64)))
    };
    let (lanes, sublanes) = (is(1), is(2));
    let kept: f64 =
        physical.iter().filter(|(d, _)| !reduced.contains(&(*d as i64))).map(|&(_, n)| n as f64).product();
    // A register holds results of eight rows, or of 128 columns, or one.
    match (lanes, sublanes) {
        (true, true) => Work { xlu: kept, alu: 3.0 * kept, ..Work::NONE },
        (true, false) => Work::xlu((kept / 8.0).ceil()),
        (false, true) => Work { alu: 6.0 * (kept / 128.0).ceil(), ..Work::NONE },
        (false, false) => Work::NONE,
    }
}

/// Batcher's network: log2(n) (log2(n) + 1) / 2 passes, each of a comparison and two selections an operand, half of them across lanes.
fn sorting(input: &ArrayShape, operands: usize, dims: &[i64]) -> Work {
    let sizes = arrays::sizes(input);
    let along = dims.first().and_then(|&d| usize::try_from(d).ok()).unwrap_or(sizes.len().saturating_sub(1));
    let n = sizes.get(along).copied().unwrap_or(1).max(2) as f64;
    let stages = n.log2().ceil();
    let passes = stages * (stages + 1.0) / 2.0;
    let each = registers(input) * passes;
    let operands = operands.max(1) as f64;
    Work { alu: each * (1.0 + 2.0 * operands), xlu: each * operands / 2.0, ..Work::NONE }
}

/// Rows that an operation by index touches: all dimensions that are not a row's own.
fn rows(instruction: &Instruction, array: &ArrayShape, own: &Key) -> f64 {
    let own: &[i64] = match instruction.attr(own) {
        Some(Value::Ints(dims)) => dims,
        _ => &[],
    };
    let sizes = arrays::sizes(array);
    sizes.iter().enumerate().filter(|(d, _)| !own.contains(&(*d as i64))).map(|(_, &n)| n as f64).product()
}
