//! Products whose rows come in groups.
//!
//! ```text
//!  sizes ─ reduce-window ─> ends ─ pad ─> starts ─┐
//!                             └───────────────────┴─ compare ─> mask [g, m]
//!  rows [m, k] ─ broadcast ─> [g, m, k] · weights [g, k, n] ─> [g, m, n] ─ select by mask ─ sum over g ─> [m, n]
//! ```
//!
//! All groups are multiplied with all rows, and a mask keeps each row's own; but a step of the grid whose rows are none of its group's is left
//! out (`mask_aggregator_config`). So it is in libtpu 0.0.52's dumps of v5e, v6e and v7x; on v5p it has a Mosaic kernel that walks as many steps,
//! one for each window of rows and one more for each further group. Where the contracted dimension comes in groups (gradients of weights), the
//! mask is before the product. Products of other ranks, and those whose batch comes in groups, stay as they are.

use super::Cx;
use super::build::{self, Build};
use super::graph::dims;
use crate::time::arrays::sizes;
use crate::time::config::MaskConfig;
use sim_core::hlo::{
    ArrayShape, Attr, Computation, Instruction, InstructionId, Key, Opcode, SliceDim, Value, WindowDim,
};
use sim_core::{ElementType, Result};

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    build::replace(cx, &[Opcode::RaggedDot], |b, dot| masked(b.cx, b.computation, dot));
    Ok(())
}

/// Is it a part of a ragged product, which nothing else joins?
pub(super) fn is_part(instruction: &Instruction) -> bool {
    matches!(instruction.attr(&Key::BackendConfig), Some(Value::Raw(text)) if text.contains(RAGGED))
}

const RAGGED: &str = r#""is_ragged_dot":true"#;

/// What is cut into groups.
struct Ragged {
    dot: Instruction,
    /// Groups, and values of the ragged dimension.
    groups: i64,
    ragged: i64,
    /// The type of their sizes.
    counts: ElementType,
}

fn masked(cx: &mut Cx<'_>, computation: &mut Computation, dot: &Instruction) -> Option<InstructionId> {
    if dot.opcode != Opcode::RaggedDot || dot.operands.len() != 3 || !dims(dot, &Key::LhsBatchDims).is_empty()
    {
        return None;
    }
    let array = |k: usize| computation.instruction(dot.operands[k]).shape.as_array();
    let (left, right, groups) = (array(0)?.clone(), array(1)?.clone(), array(2)?.clone());
    let (&[ragged], &[contracted]) = (dims(dot, &Key::LhsRaggedDims), dims(dot, &Key::LhsContractingDims))
    else {
        return None;
    };
    let size = |a: &ArrayShape, d: i64| usize::try_from(d).ok().and_then(|d| sizes(a).get(d).copied());
    let of = Ragged {
        dot: dot.clone(),
        groups: *sizes(&groups).first().filter(|_| groups.rank() == 1)? as i64,
        ragged: size(&left, ragged)? as i64,
        counts: groups.element,
    };
    if of.groups == 0 || left.rank() != 2 {
        return None;
    }
    let mut b = Build { cx, computation, like: dot };
    match (right.rank(), ragged == contracted) {
        (3, false) => of.rows(&mut b, &left, &right),
        (2, true) => of.contracted(&mut b, &left, &right),
        _ => None,
    }
}

impl Ragged {
    /// Which of all values are whose: `pred[groups, ragged]`.
    fn mask(&self, b: &mut Build<'_, '_>) -> InstructionId {
        let (g, m, counts) = (self.groups, self.ragged, self.counts);
        let zero = b.zero(counts);
        let ends = b.one(Opcode::ReduceWindow, counts, &[g], &[self.dot.operands[2], zero], None);
        let adds = b.applied(Opcode::Add, &[counts, counts], counts);
        let window = WindowDim { size: g, pad_low: g - 1, ..WindowDim::default() };
        b.with(ends, Key::Window, Value::Window(Box::new([window])));
        b.with(ends, Key::ToApply, Value::Computation(adds));
        let first = b.one(Opcode::Broadcast, counts, &[1], &[zero], Some(vec![]));
        let longer = b.one(Opcode::Concatenate, counts, &[g + 1], &[first, ends], Some(vec![0]));
        let starts = b.one(Opcode::Slice, counts, &[g], &[longer], None);
        b.with(starts, Key::Slice, Value::Slice(Box::new([SliceDim { start: 0, limit: g, stride: 1 }])));
        let at = b.one(Opcode::Iota, counts, &[g, m], &[], None);
        b.with(at, Key::IotaDimension, Value::Int(1));
        let mut side = |bound: InstructionId, direction: &str| {
            let all = b.one(Opcode::Broadcast, counts, &[g, m], &[bound], Some(vec![0]));
            let is = b.one(Opcode::Compare, ElementType::Pred, &[g, m], &[at, all], None);
            b.with(is, Key::Direction, Value::Word(direction.into()));
            is
        };
        let (from, until) = (side(starts, "GE"), side(ends, "LT"));
        b.one(Opcode::And, ElementType::Pred, &[g, m], &[from, until], None)
    }

    /// `values` where the mask is, zero elsewhere: the mask's dimensions are `at` of theirs.
    fn own(
        b: &mut Build<'_, '_>,
        mask: InstructionId,
        values: InstructionId,
        element: ElementType,
        sizes: &[i64],
        at: [i64; 2],
    ) -> InstructionId {
        let none = b.zero(element);
        let none = b.one(Opcode::Broadcast, element, sizes, &[none], Some(vec![]));
        let wide = b.one(Opcode::Broadcast, ElementType::Pred, sizes, &[mask], Some(at.to_vec()));
        b.one(Opcode::Select, element, sizes, &[wide, values, none], None)
    }

    fn spread(&self, b: &mut Build<'_, '_>, left: &ArrayShape) -> (InstructionId, Vec<i64>) {
        let spread: Vec<i64> =
            std::iter::once(self.groups).chain(sizes(left).iter().map(|&n| n as i64)).collect();
        let all = b.one(Opcode::Broadcast, left.element, &spread, &[self.dot.operands[0]], Some(vec![1, 2]));
        (all, spread)
    }

    fn product(
        &self,
        b: &mut Build<'_, '_>,
        left: InstructionId,
        right: InstructionId,
        result: (ElementType, &[i64]),
        [batch, deep]: [i64; 2],
    ) -> InstructionId {
        let product = b.one(Opcode::Dot, result.0, result.1, &[left, right], None);
        let contracted = dims(&self.dot, &Key::LhsContractingDims).iter().map(|d| d + 1).collect();
        b.with(product, Key::LhsBatchDims, Value::Ints(Box::new([0])));
        b.with(product, Key::RhsBatchDims, Value::Ints(Box::new([batch])));
        b.with(product, Key::LhsContractingDims, Value::Ints(contracted));
        b.with(product, Key::RhsContractingDims, Value::Ints(Box::new([deep])));
        if let Some(precision) = self.dot.attr(&Key::OperandPrecision) {
            b.with(product, Key::OperandPrecision, precision.clone());
        }
        product
    }

    /// Rows come in groups: `[m, k] · [g, k, n] -> [m, n]`.
    fn rows(&self, b: &mut Build<'_, '_>, left: &ArrayShape, right: &ArrayShape) -> Option<InstructionId> {
        let (&[deep], &[group]) =
            (dims(&self.dot, &Key::RhsContractingDims), dims(&self.dot, &Key::RhsGroupDims))
        else {
            return None;
        };
        let element = self.dot.shape.as_array()?.element;
        let n = sizes(right).get(usize::try_from(3 - group - deep).ok()?).copied()? as i64;
        let mask = self.mask(b);
        let from = b.computation.instructions.len();
        let (all, _) = self.spread(b, left);
        let result = [self.groups, self.ragged, n];
        let product = self.product(b, all, self.dot.operands[1], (element, &result), [group, deep]);
        let own = Self::own(b, mask, product, element, &result, [0, 1]);
        let sum = b.sum(own, element, &result[1..], vec![0]);
        self.mark(b, from, 2);
        Some(sum)
    }

    /// The contracted dimension comes in groups: `[m, k] · [m, n] -> [g, k, n]`.
    fn contracted(
        &self,
        b: &mut Build<'_, '_>,
        left: &ArrayShape,
        right: &ArrayShape,
    ) -> Option<InstructionId> {
        let (&[contracted], &[deep]) =
            (dims(&self.dot, &Key::LhsContractingDims), dims(&self.dot, &Key::RhsContractingDims))
        else {
            return None;
        };
        let result = self.dot.shape.as_array()?.clone();
        let mask = self.mask(b);
        let from = b.computation.instructions.len();
        let (all, spread) = self.spread(b, left);
        let own = Self::own(b, mask, all, left.element, &spread, [0, contracted + 1]);
        // Both sides have the groups.
        let wide: Vec<i64> =
            std::iter::once(self.groups).chain(sizes(right).iter().map(|&n| n as i64)).collect();
        let right = b.one(Opcode::Broadcast, right.element, &wide, &[self.dot.operands[1]], Some(vec![1, 2]));
        let sizes: Vec<i64> = sizes(&result).iter().map(|&n| n as i64).collect();
        let product = self.product(b, own, right, (result.element, &sizes), [0, deep + 1]);
        self.mark(b, from, 4);
        Some(product)
    }

    /// What was appended from `from` on is one kernel, whose grid walks groups, and then `walked`, what is cut into them: 2 are rows, 4 is the
    /// contracted dimension, as `windows` numbers those of a batch, columns and rows.
    fn mark(&self, b: &mut Build<'_, '_>, from: usize, walked: u64) {
        let config = format!(
            r#"{{"convolution_algorithm_config":{{{RAGGED},"num_groups_in_ragged_dot":"{}"}},"mask_aggregator_config":{{"mask_dim_to_iteration_index":["0","{walked}"],"iteration_skipper_mode":"{}"}}}}"#,
            self.groups,
            MaskConfig::GROUPS
        );
        for part in &mut b.computation.instructions[from..] {
            part.attrs.push(Attr { key: Key::BackendConfig, value: Value::Raw(config.as_str().into()) });
        }
    }
}
