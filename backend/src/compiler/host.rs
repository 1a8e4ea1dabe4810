//! Arrays in the host's memory.
//!
//! Where arguments and results lie is in the module's frontend attributes, as clients of XLA write it (`arg_memory_spaces="5;0"`, of `mhlo.memory_kind`);
//! where values between them are wanted, in custom calls (`annotate_device_placement`, with `_xla_buffer_placement`). Those become copies between the two
//! memories, asynchronous ones, where a value is not there already. Whatever computes does so on the device, and has its operands copied there.
//!
//! Calls inside of loops and branches are kept: what those carry lies on the device.

use super::Cx;
use super::graph::{self, laid};
use super::place::flag;
use rustc_hash::FxHashMap;
use sim_core::Result;
use sim_core::hlo::{
    Attr, Computation, HloModule, Instruction, InstructionId, Key, Layout, Opcode, ParameterLayouts, Shape,
    Value,
};
use std::sync::Arc;

/// Memory space of the host in layouts.
const HOST: i64 = 5;
const DEVICE: i64 = 0;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let entry = cx.module.entry();
    let (arguments, results) =
        (spaces(&cx.module, "arg_memory_spaces"), spaces(&cx.module, "out_memory_spaces"));
    let is_told = arguments.iter().chain(&results).any(|&s| s == HOST);
    if !is_told && !entry.instructions.iter().any(|i| wanted(i).is_some()) {
        return Ok(());
    }
    let mut old = entry.clone();
    let instructions = std::mem::take(&mut old.instructions);
    let mut new = Moved { cx, out: old, copies: FxHashMap::default() };
    let mut place: Vec<InstructionId> = Vec::with_capacity(instructions.len());
    let root = new.out.root.0 as usize;
    for (n, instruction) in instructions.iter().enumerate() {
        let mut made = instruction.clone();
        made.before_mut().for_each(|o| *o = place[o.0 as usize]);
        let space = |of: &[i64], n: Option<i64>| {
            n.and_then(|n| of.get(usize::try_from(n).ok()?)).copied().unwrap_or(DEVICE)
        };
        let id = if let (Some(space), [operand]) = (wanted(instruction), &made.operands[..]) {
            new.at(*operand, space)
        } else if n == root && made.opcode == Opcode::Tuple {
            for (k, o) in made.operands.iter_mut().enumerate() {
                *o = new.at(*o, space(&results, Some(k as i64)));
            }
            let parts = made.operands.iter().map(|&o| new.out.instruction(o).shape.clone()).collect();
            made.shape = Arc::new(Shape::Tuple(parts));
            graph::push(&mut new.out, made)
        } else {
            if made.opcode == Opcode::Parameter {
                made.shape = in_space(&made.shape, space(&arguments, made.parameter_number));
            }
            for o in &mut made.operands {
                *o = new.at(*o, DEVICE);
            }
            graph::push(&mut new.out, made)
        };
        let only = n == root && instruction.opcode != Opcode::Tuple;
        place.push(if only { new.at(id, space(&results, Some(0))) } else { id });
    }
    let mut computation = new.out;
    computation.root = place[root];
    let entry = cx.module.entry.0 as usize;
    cx.module.computations[entry] = computation;
    told(&mut cx.module);
    Ok(())
}

/// Copies the entry computation while values change their places.
struct Moved<'a, 'c> {
    cx: &'a mut Cx<'c>,
    out: Computation,
    /// Of a value, in another memory.
    copies: FxHashMap<(InstructionId, i64), InstructionId>,
}

impl Moved<'_, '_> {
    /// The value in that memory.
    fn at(&mut self, id: InstructionId, space: i64) -> InstructionId {
        let like = self.out.instruction(id).clone();
        if like.shape.as_array().is_none() || space_of(&like.shape) == space {
            return id;
        }
        if let Some(&copy) = self.copies.get(&(id, space)) {
            return copy;
        }
        let shape = in_space(&like.shape, space);
        let both = Arc::new(Shape::Tuple(vec![shape.clone(), like.shape.clone(), flag()]));
        let name = self.cx.names.fresh("copy-start");
        let start = graph::instruction(name, Opcode::CopyStart, both, &[id], &like);
        let start = graph::push(&mut self.out, start);
        let name = self.cx.names.fresh("copy-done");
        let done = graph::instruction(name, Opcode::CopyDone, shape, &[start], &like);
        let done = graph::push(&mut self.out, done);
        self.copies.extend([((id, space), done), ((done, space_of(&like.shape)), id)]);
        done
    }
}

fn space_of(shape: &Shape) -> i64 {
    shape.as_array().and_then(|a| a.layout.as_ref()).map_or(DEVICE, |l| l.memory_space)
}

fn in_space(shape: &Arc<Shape>, space: i64) -> Arc<Shape> {
    let Some(array) = shape.as_array().filter(|_| space_of(shape) != space) else { return shape.clone() };
    let layout = array.layout.as_deref().cloned().unwrap_or_else(|| Layout::row_major(array.rank()));
    laid(array, Layout { memory_space: space, ..layout })
}

/// The memory that a call wants its operand in.
fn wanted(i: &Instruction) -> Option<i64> {
    let Some(Value::String(target)) = i.attr(&Key::CustomCallTarget) else { return None };
    let Some(Value::Dict(items)) = i.attr(&Key::FrontendAttributes) else { return None };
    let (_, kind) = items.iter().find(|(name, _)| &**name == "_xla_buffer_placement")?;
    (&**target == "annotate_device_placement").then(|| if kind.ends_with("host") { HOST } else { DEVICE })
}

/// `5;0`: of each argument or result; none where nothing is said.
fn spaces(module: &HloModule, name: &str) -> Vec<i64> {
    let Some(Value::Dict(items)) = module.attr(&Key::FrontendAttributes) else { return Vec::new() };
    let text = items.iter().find(|(n, _)| &**n == name).map_or("", |(_, text)| text);
    text.split(';').map(|s| s.trim().parse().unwrap_or(DEVICE)).collect()
}

/// The header says where arguments and results lie.
fn told(module: &mut HloModule) {
    let entry = module.entry();
    let parameters =
        entry.parameters().into_iter().flatten().map(|id| entry.instruction(id).shape.clone()).collect();
    let layouts = ParameterLayouts { parameters, result: entry.root().shape.clone() };
    let value = Value::Layouts(Box::new(layouts));
    match module.attrs.iter_mut().find(|a| a.key == Key::EntryComputationLayout) {
        Some(a) => a.value = value,
        None => module.attrs.push(Attr { key: Key::EntryComputationLayout, value }),
    }
}
