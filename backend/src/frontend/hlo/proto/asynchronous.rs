//! `async-start` of a computation that is one operation: the text writes the operation itself, `slice-start`.

use rustc_hash::FxHashSet;
use sim_core::hlo::{Computation, ComputationId, HloModule, InstructionId, Key, Opcode, Value};

/// What an asynchronous instruction carries itself, whatever it runs.
pub(super) fn is_own(key: &Key) -> bool {
    matches!(
        key,
        Key::AsyncExecutionThread
            | Key::Sharding
            | Key::FrontendAttributes
            | Key::ControlPredecessors
            | Key::BackendConfig
            | Key::Metadata
            | Key::Origin
            | Key::Statistics
    )
}

/// The operation that is all of the computation, behind its parameters.
fn only(c: &Computation) -> Option<Opcode> {
    let others = c.instructions.iter().enumerate().filter(|(i, _)| *i != c.root.0 as usize);
    others.into_iter().all(|(_, i)| i.opcode == Opcode::Parameter).then(|| c.root().opcode)
}

/// The start of an update's or a done's chain.
pub(super) fn start(c: &Computation, mut at: InstructionId) -> Option<InstructionId> {
    // A chain is no longer than the computation, unless it is a cycle.
    for _ in 0..c.instructions.len() {
        let i = c.instruction(at);
        match i.opcode {
            Opcode::AsyncStart => return Some(at),
            Opcode::AsyncUpdate | Opcode::AsyncDone => at = *i.operands.first()?,
            _ => return None,
        }
    }
    None
}

/// Writes such operations at their start, update and done, and takes their computations out.
pub(super) fn fold(module: &mut HloModule) {
    let mut gone = FxHashSet::default();
    for c in 0..module.computations.len() {
        for i in 0..module.computations[c].instructions.len() {
            let at = &module.computations[c];
            let Some(begin) = start(at, InstructionId(i as u32)) else { continue };
            // The start itself comes first only where the order is that of execution.
            let Some(id) = calls(at, begin).or_else(|| calls(at, InstructionId(i as u32))) else {
                if let Some(op) = at.instruction(begin).sugar {
                    module.computations[c].instructions[i].sugar = Some(op);
                }
                continue;
            };
            let wrapped = module.computation(id);
            let Some(op) = only(wrapped) else { continue };
            let inner = wrapped.root().attrs.iter().filter(|a| !is_own(&a.key)).cloned().collect::<Vec<_>>();
            gone.insert(id);
            let i = &mut module.computations[c].instructions[i];
            i.sugar = Some(op);
            i.attrs.retain(|a| a.key != Key::Calls);
            if i.opcode == Opcode::AsyncStart {
                i.attrs.extend(inner);
            }
        }
    }
    remove(module, &gone);
}

fn calls(c: &Computation, at: InstructionId) -> Option<ComputationId> {
    match c.instruction(at).attr(&Key::Calls) {
        Some(Value::Computation(id)) => Some(*id),
        _ => None,
    }
}

/// Without the computations that nothing calls any more.
fn remove(module: &mut HloModule, gone: &FxHashSet<ComputationId>) {
    let used: FxHashSet<ComputationId> = module
        .computations
        .iter()
        .enumerate()
        .filter(|(i, _)| !gone.contains(&ComputationId(*i as u32)))
        .flat_map(|(_, c)| &c.instructions)
        .flat_map(|i| i.called())
        .chain([module.entry])
        .collect();
    let mut places = Vec::with_capacity(module.computations.len());
    let mut kept = 0;
    for i in 0..module.computations.len() as u32 {
        let id = ComputationId(i);
        let keep = !gone.contains(&id) || used.contains(&id);
        places.push(keep.then_some(ComputationId(kept)));
        kept += u32::from(keep);
    }
    let mut place = places.iter();
    module.computations.retain(|_| place.next().is_some_and(Option::is_some));
    let moved = |id: &mut ComputationId| *id = places[id.0 as usize].unwrap_or(*id);
    moved(&mut module.entry);
    for attr in module.computations.iter_mut().flat_map(|c| &mut c.instructions).flat_map(|i| &mut i.attrs) {
        match &mut attr.value {
            Value::Computation(id) => moved(id),
            Value::Computations(ids) => ids.iter_mut().for_each(moved),
            _ => {}
        }
    }
}
