//! Which functions are reached, and in which order they can be built.

use super::callees;
use rustc_hash::FxHashMap;
use sim_core::ir::{Function, Module};
use sim_core::{Diagnostic, Result};

/// `entry` and all that it calls, each after its callees. Without recursion: files decide how deep it goes.
pub fn callees_first<'m>(module: &'m Module, entry: &'m Function) -> Result<Vec<&'m Function>> {
    #[derive(PartialEq)]
    enum Mark {
        Open,
        Done,
    }
    let called = |f: &'m Function| -> Vec<&'m Function> {
        let paths = f.ops.iter().flat_map(|op| callees(&op.op));
        paths.filter_map(|path| module.lookup(path)).filter(|f| f.body.is_some()).collect()
    };
    let mut marks = FxHashMap::default();
    let mut order = Vec::new();
    let mut stack = vec![(entry, called(entry), 0)];
    marks.insert(std::ptr::from_ref(entry), Mark::Open);
    while let Some((function, called_here, next)) = stack.last_mut() {
        let Some(&callee) = called_here.get(*next) else {
            marks.insert(std::ptr::from_ref(*function), Mark::Done);
            order.push(*function);
            stack.pop();
            continue;
        };
        *next += 1;
        match marks.get(&std::ptr::from_ref(callee)) {
            None => {
                marks.insert(std::ptr::from_ref(callee), Mark::Open);
                stack.push((callee, called(callee), 0));
            }
            Some(Mark::Open) => {
                return Err(Diagnostic::unsupported(format!(
                    "function `@{}` calls itself, directly or through others, and HLO has no recursion",
                    callee.name
                ))
                .at(callee.span));
            }
            Some(Mark::Done) => {}
        }
    }
    Ok(order)
}
