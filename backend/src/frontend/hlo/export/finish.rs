//! Order and names: XLA's order of printing, or for instructions the program's own (which the compiler follows); a number behind each name
//! that is unique in the module, counted as XLA prints them.

use rustc_hash::FxHashMap;
use sim_core::hlo::print::order;
use sim_core::hlo::{Attr, Computation, ComputationId, HloModule, InstructionId, Key, StackTables, Value};
use std::sync::Arc;

/// The order of a module's instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As XLA prints them: operands first, from the results.
    Printed,
    /// As the program has them.
    Written,
}

/// A module of these computations. What is exported again after a round trip gets the same names.
pub fn in_order(computations: Vec<Computation>, entry: ComputationId, order: Order) -> HloModule {
    // The order of the computations follows that of the instructions.
    let computations = match order {
        Order::Printed => computations.into_iter().map(sort_instructions).collect(),
        Order::Written => computations,
    };
    let mut module =
        HloModule { name: "".into(), attrs: Vec::new(), tables: StackTables::default(), computations, entry };
    let order = order::computations(&module);
    let mut place = vec![0u32; order.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new as u32;
    }
    let mut old: Vec<Option<Computation>> = module.computations.drain(..).map(Some).collect();
    module.computations = order.iter().filter_map(|&c| old[c].take()).collect();
    module.entry = ComputationId(place[entry.0 as usize]);

    let mut names = Names::default();
    for (n, c) in module.computations.iter_mut().enumerate() {
        c.name = format!("{}.{}", sanitized(stem(&c.name)), n + 1).into();
        for id in order::instructions(c) {
            let i = &mut c.instructions[id.0 as usize];
            i.name = names.next(&i.name);
        }
        for i in &mut c.instructions {
            for a in &mut i.attrs {
                match &mut a.value {
                    Value::Computation(id) => id.0 = place[id.0 as usize],
                    Value::Computations(ids) => ids.iter_mut().for_each(|id| id.0 = place[id.0 as usize]),
                    _ => {}
                }
            }
        }
    }
    module
}

fn sort_instructions(c: Computation) -> Computation {
    let order = order::instructions(&c);
    let mut place = vec![InstructionId(0); order.len()];
    for (new, old) in order.iter().enumerate() {
        place[old.0 as usize] = InstructionId(new as u32);
    }
    let mut old: Vec<_> = c.instructions.into_iter().map(Some).collect();
    let mut instructions: Vec<_> = order.iter().filter_map(|id| old[id.0 as usize].take()).collect();
    for i in &mut instructions {
        i.operands.iter_mut().for_each(|o| *o = place[o.0 as usize]);
        for Attr { key, value } in &mut i.attrs {
            if let (Key::ControlPredecessors, Value::Instructions(ids)) = (key, value) {
                ids.iter_mut().for_each(|o| *o = place[o.0 as usize]);
            }
        }
    }
    Computation { instructions, root: place[c.root.0 as usize], ..c }
}

/// Without the number of an earlier round.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// Counts the uses of each name.
#[derive(Default)]
struct Names(FxHashMap<Arc<str>, u32>);

impl Names {
    fn next(&mut self, name: &Arc<str>) -> Arc<str> {
        let n = self.0.entry(name.clone()).or_default();
        *n += 1;
        format!("{name}.{n}").into()
    }
}

/// As a name of HLO: letters, digits, `_`, `.` and `-`, a letter or `_` first.
pub fn sanitized(name: &str) -> String {
    let mut text: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' }).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        text.insert(0, '_');
    }
    text
}
