//! Dimensions of one.

use super::Site;
use crate::compiler::build;
use crate::compiler::graph::{is_elementwise, set};
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};

/// Sizes that are not one; `None`: some are open.
fn big(i: &Instruction) -> Option<Vec<i64>> {
    let all: Option<Vec<i64>> = i.shape.as_array()?.dims.iter().map(|d| d.as_static()).collect();
    all.map(|all| all.into_iter().filter(|&n| n != 1).collect())
}

/// What is computed of arrays that only had dimensions of one added or dropped is computed of them as they were, and reshaped then: rows with such a
/// dimension (`keepdims`) are vectors.
pub fn reshaped_after(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let out = i.shape.as_array()?.clone();
    if !is_elementwise(i.opcode) || out.rank() == 0 {
        return None;
    }
    let sizes = big(i)?;
    let mut sources: Vec<Option<InstructionId>> = Vec::new();
    for n in 0..i.operands.len() {
        let (_, operand) = site.operand(i, n)?;
        if operand.shape.as_array()?.dims != out.dims {
            return None;
        }
        sources.push(match operand.opcode {
            Opcode::Reshape => {
                let (id, source) = site.operand(operand, 0)?;
                (big(source)? == sizes).then_some(Some(id))?
            }
            // A scalar fills any array.
            Opcode::Broadcast => {
                let (_, of) = site.operand(operand, 0)?;
                (of.shape.as_array()?.rank() == 0).then_some(None)?
            }
            _ => return None,
        });
    }
    let first = site.get(sources.iter().copied().flatten().next()?).shape.as_array()?.clone();
    let alike = |id: InstructionId| site.get(id).shape.as_array().is_some_and(|a| a.dims == first.dims);
    if first.dims.is_empty() || !sources.iter().copied().flatten().all(alike) {
        return None;
    }
    let whole: Vec<i64> = first.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
    let mut made = i.clone();
    for (n, source) in sources.into_iter().enumerate() {
        let (_, operand) = site.operand(i, n)?;
        let (fill, element) = (site.operand(operand, 0)?.0, operand.shape.as_array()?.element);
        made.operands[n] = match source {
            Some(source) => source,
            None => {
                let mut again = site.make(Opcode::Broadcast, build::shape(element, &whole), &[fill], i);
                set(&mut again, Key::Dimensions, Value::Ints(Box::default()));
                site.push(again)
            }
        };
    }
    made.name = site.names.fresh(&i.name);
    made.shape = build::shape(out.element, &whole);
    let made = site.push(made);
    let reshape = site.make(Opcode::Reshape, i.shape.clone(), &[made], i);
    Some(site.push(reshape))
}
