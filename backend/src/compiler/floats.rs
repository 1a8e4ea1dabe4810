//! bf16 in the vector unit.
//!
//! Where the unit has no arithmetic of bf16 (`vpu.bf16` is 0), what a kernel computes in it is computed in f32: operands are widened, results
//! narrowed where something else needs them, and between two operations nothing is rounded (XLA's float normalization with excess
//! precision). What the program itself narrows is rounded there (dumps of libtpu keep such conversions). What is no kernel of several operations is widened by the unit's own loop, and is left as it is.

use super::Cx;
use super::graph::{self, compact, push};
use rustc_hash::FxHashMap;
use sim_core::hlo::{ArrayShape, Computation, Instruction, InstructionId, Opcode, Shape};
use sim_core::{ElementType, Result};
use std::sync::Arc;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    if cx.chip.units().vpu.bf16 > 0 {
        return Ok(());
    }
    let fused: Vec<usize> = {
        let all = cx.module.computations.iter().flat_map(|c| &c.instructions);
        let mut fused: Vec<usize> = all
            .filter(|i| i.opcode == Opcode::Fusion)
            .flat_map(|i| i.called())
            .map(|c| c.0 as usize)
            .collect();
        fused.sort_unstable();
        fused.dedup();
        fused
    };
    for id in fused {
        let old = cx.module.computations[id].clone();
        let mut new = Widen {
            out: Computation { instructions: Vec::with_capacity(old.instructions.len()), ..old.clone() },
            names: &mut cx.names,
            narrow: Vec::new(),
            wide: FxHashMap::default(),
        };
        for (i, instruction) in old.instructions.iter().enumerate() {
            new.one(InstructionId(i as u32), instruction);
        }
        let root = new.narrowed(old.root);
        let mut computation = new.out;
        computation.root = root;
        compact(&mut computation, |i| i.opcode == Opcode::Parameter);
        cx.module.computations[id] = computation;
    }
    Ok(())
}

struct Widen<'a> {
    out: Computation,
    names: &'a mut graph::Names,
    /// Of each old instruction its value in its own type, if that is there.
    narrow: Vec<Option<InstructionId>>,
    /// Its value in f32.
    wide: FxHashMap<InstructionId, InstructionId>,
}

fn is_bf16(i: &Instruction) -> bool {
    i.shape.as_array().is_some_and(|a| a.element == ElementType::BF16)
}

fn of(array: &ArrayShape, element: ElementType) -> Arc<Shape> {
    let bare = ArrayShape { element, ..array.clone() };
    let Some(layout) = &array.layout else { return Arc::new(Shape::Array(bare)) };
    let sizes = crate::time::arrays::sizes(array);
    graph::laid(&bare, hbm::layout::tiled(element, &sizes, layout.minor_to_major.clone()))
}

impl Widen<'_> {
    /// In the type that it had.
    fn narrowed(&mut self, id: InstructionId) -> InstructionId {
        if let Some(there) = self.narrow[id.0 as usize] {
            return there;
        }
        let wide = self.wide[&id];
        let made = self.convert(wide, ElementType::BF16);
        self.narrow[id.0 as usize] = Some(made);
        made
    }

    fn widened(&mut self, id: InstructionId) -> InstructionId {
        if let Some(&there) = self.wide.get(&id) {
            return there;
        }
        let narrow = self.narrowed(id);
        let made = self.convert(narrow, ElementType::F32);
        self.wide.insert(id, made);
        made
    }

    fn convert(&mut self, id: InstructionId, to: ElementType) -> InstructionId {
        let like = self.out.instruction(id).clone();
        let Some(array) = like.shape.as_array() else { return id };
        let made =
            graph::instruction(self.names.fresh("convert"), Opcode::Convert, of(array, to), &[id], &like);
        push(&mut self.out, made)
    }

    fn one(&mut self, id: InstructionId, old: &Instruction) {
        let from_bf16 = |k: usize, this: &Self| {
            old.operands.get(k).is_some_and(|o| {
                this.wide.contains_key(o)
                    || this.narrow[o.0 as usize].is_some_and(|n| is_bf16(this.out.instruction(n)))
            })
        };
        let element = old.shape.as_array().map(|a| a.element);
        match old.opcode {
            // Nothing is rounded between two operations.
            Opcode::Convert if element == Some(ElementType::F32) && from_bf16(0, self) => {
                let wide = self.widened(old.operands[0]);
                self.narrow.push(Some(wide));
                return;
            }
            op if super::graph::is_elementwise(op)
                && !matches!(op, Opcode::Convert | Opcode::BitcastConvert) =>
            {
                let any = (0..old.operands.len()).any(|k| from_bf16(k, self));
                if any {
                    let mut new = old.clone();
                    for (k, o) in old.operands.iter().enumerate() {
                        new.operands[k] =
                            if from_bf16(k, self) { self.widened(*o) } else { self.narrowed(*o) };
                    }
                    match old.shape.as_array() {
                        Some(array) if array.element == ElementType::BF16 => {
                            new.shape = of(array, ElementType::F32);
                            let made = push(&mut self.out, new);
                            self.wide.insert(id, made);
                            self.narrow.push(None);
                        }
                        _ => {
                            let made = push(&mut self.out, new);
                            self.narrow.push(Some(made));
                        }
                    }
                    return;
                }
            }
            _ => {}
        }
        let mut new = old.clone();
        for o in new.operands.iter_mut() {
            *o = self.narrowed(*o);
        }
        let made = push(&mut self.out, new);
        self.narrow.push(Some(made));
    }
}
