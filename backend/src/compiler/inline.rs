//! Calls become what they call: a call is no boundary to XLA:TPU. Whatever order instructions were read in, operands come first from here on.

use super::Cx;
use super::graph::{self, Effects, compact, redirect};
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode};
use sim_core::{Diagnostic, Result};

/// Instructions that a module may grow to: calls of calls multiply.
const MOST: usize = 4_000_000;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let mut total: usize = cx.module.computations.iter().map(|c| c.instructions.len()).sum();
    // Callees come first, so what is put in has no calls itself.
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let calls = |i: &Instruction| i.opcode == Opcode::Call;
        let mut computation = cx.module.computation(id).clone();
        let mut to: Vec<InstructionId> =
            (0..computation.instructions.len() as u32).map(InstructionId).collect();
        // What was called stands where the call did.
        let mut order: Vec<usize> = Vec::new();
        for (i, to) in to.iter_mut().enumerate() {
            let call = computation.instructions[i].clone();
            order.push(i);
            let Some(callee) = call.called().next().filter(|_| calls(&call)) else { continue };
            let first = computation.instructions.len();
            let body = cx.module.computation(callee);
            total += body.instructions.len();
            if total > MOST {
                return Err(Diagnostic::unsupported(format!(
                    "module {} has more than {MOST} instructions once its calls are inlined",
                    cx.module.name
                ))
                .at(call.span)
                .help("make loops of what is called again and again"));
            }
            *to = put(&mut computation, body, &call, &mut cx.names)?;
            order.extend(first..computation.instructions.len());
        }
        to.extend((to.len() as u32..computation.instructions.len() as u32).map(InstructionId));
        redirect(&mut computation, &to);
        graph::reorder(&mut computation, &order);
        compact(&mut computation, |i| !calls(i) && effects.keeps(i));
        cx.module.computations[id.0 as usize] = computation;
    }
    graph::tidy(&mut cx.module);
    // Those that kernels apply, too.
    cx.module.computations.iter_mut().try_for_each(in_order)
}

/// # Errors
/// Instructions need each other.
fn in_order(computation: &mut Computation) -> Result<()> {
    if graph::is_ordered(computation) {
        return Ok(());
    }
    compact(computation, |_| true);
    let mut instructions = computation.instructions.iter().enumerate();
    let early = |i: usize, o: &InstructionId| o.0 as usize >= i;
    match instructions.find(|(i, instruction)| instruction.operands.iter().any(|o| early(*i, o))) {
        None => Ok(()),
        Some((_, i)) => Err(Diagnostic::invalid(format!("%{} needs its own result", i.name)).at(i.span)),
    }
}

/// Copies the instructions of `body` to the end of `computation`; returns the root.
fn put(
    computation: &mut Computation,
    body: &Computation,
    call: &Instruction,
    names: &mut graph::Names,
) -> Result<InstructionId> {
    let mut place: Vec<InstructionId> = Vec::with_capacity(body.instructions.len());
    for instruction in &body.instructions {
        if let Some(n) = instruction.parameter_number {
            let operand = usize::try_from(n).ok().and_then(|n| call.operands.get(n));
            place.push(*operand.ok_or_else(|| {
                Diagnostic::invalid(format!("%{} does not pass parameter {n} of {}", call.name, body.name))
                    .at(call.span)
            })?);
            continue;
        }
        // What it called is inlined already, unless that is itself.
        if instruction.opcode == Opcode::Call {
            return Err(Diagnostic::invalid(format!("computation {} calls itself", body.name))
                .at(instruction.span)
                .help("what repeats is a while loop"));
        }
        let mut copy = instruction.clone();
        copy.name = names.fresh(&copy.name);
        copy.before_mut().for_each(|o| *o = place[o.0 as usize]);
        place.push(graph::push(computation, copy));
    }
    Ok(place[body.root.0 as usize])
}
