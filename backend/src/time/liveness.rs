//! Bytes of HBM that values of a computation hold while each of its instructions runs.
//!
//! A value lives from its instruction to the last that uses it, in the order of the schedule; what is another look at a value (tuples, bitcasts, the
//! end of an asynchronous copy) or takes its place (loops, updates) holds nothing of its own. Parameters are their caller's.

use super::arrays::{self, Memory, arrays};
use sim_core::hlo::{Computation, Instruction, Opcode};

/// By instruction. `in_place`, by instruction too: its result lies where an operand lay.
pub fn held(computation: &Computation, in_place: &[bool]) -> Vec<u64> {
    let instructions = &computation.instructions;
    let looks: Vec<bool> = instructions.iter().zip(in_place).map(|(i, &p)| looks_on(i) || p).collect();
    let mut last: Vec<usize> = (0..instructions.len()).collect();
    if let Some(root) = last.get_mut(computation.root.0 as usize) {
        *root = instructions.len();
    }
    for (i, instruction) in instructions.iter().enumerate().rev() {
        let until = if looks[i] { last[i] } else { i };
        for operand in &instruction.operands {
            if let Some(end) = last.get_mut(operand.0 as usize) {
                *end = (*end).max(until);
            }
        }
    }
    // What begins and ends to be held at each place.
    let mut change = vec![0i128; instructions.len() + 2];
    for (i, instruction) in instructions.iter().enumerate() {
        if looks[i] || matches!(instruction.opcode, Opcode::Parameter | Opcode::Constant) {
            continue;
        }
        let in_hbm = arrays(&instruction.shape).into_iter().filter(|a| arrays::memory(a) == Memory::Hbm);
        // Of a copy under way, the source is somebody else's.
        let bytes = match instruction.opcode {
            Opcode::CopyStart | Opcode::AsyncStart => {
                in_hbm.map(arrays::bytes).next().filter(|_| to_hbm(instruction))
            }
            _ => Some(in_hbm.map(arrays::bytes).fold(0u64, u64::saturating_add)),
        };
        let bytes = i128::from(bytes.unwrap_or(0));
        change[i] += bytes;
        change[last[i].min(instructions.len()) + 1] -= bytes;
    }
    let mut now = 0i128;
    let sum = |c: &i128| {
        now += c;
        u64::try_from(now).unwrap_or(u64::MAX)
    };
    change[..instructions.len()].iter().map(sum).collect()
}

fn looks_on(instruction: &Instruction) -> bool {
    use Opcode as O;
    matches!(
        instruction.opcode,
        O::Tuple
            | O::GetTupleElement
            | O::Bitcast
            | O::OptimizationBarrier
            | O::AddDependency
            | O::AfterAll
            | O::Domain
            | O::CopyDone
            | O::AsyncUpdate
            | O::AsyncDone
            | O::While
            | O::DynamicUpdateSlice
    )
}

/// The first array of a start is its destination.
fn to_hbm(instruction: &Instruction) -> bool {
    arrays(&instruction.shape).first().is_some_and(|a| arrays::memory(a) == Memory::Hbm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::{self, ParseOptions, Source};

    #[test]
    fn values_live_from_their_making_to_their_last_use() {
        let text = "HloModule m\n\nENTRY %main (x: f32[8,128]) -> f32[8,128] {\n  %x = f32[8,128]{1,0:T(8,128)} parameter(0)\n  \
                    %a = f32[8,128]{1,0:T(8,128)} negate(%x)\n  %v = f32[8,128]{1,0:T(8,128)S(1)} negate(%a)\n  \
                    %t = (f32[8,128]{1,0:T(8,128)}, f32[8,128]{1,0:T(8,128)S(1)}) tuple(%a, %v)\n  %b = f32[8,128]{1,0:T(8,128)} negate(%v)\n  \
                    %g = f32[8,128]{1,0:T(8,128)} get-tuple-element(%t), index=0\n  %c = f32[8,128]{1,0:T(8,128)} add(%g, %b)\n  \
                    ROOT %d = f32[8,128]{1,0:T(8,128)} negate(%c)\n}\n";
        let source = Source::from_bytes("m", text);
        let module = frontend::parse_hlo(&source, &ParseOptions::default()).unwrap().unwrap().remove(0);
        let entry = module.entry();
        let held = held(entry, &vec![false; entry.instructions.len()]);
        // x, a, v, t, b, g, c, d: `a` is needed by `c`, through the tuple.
        assert_eq!(held, [0, 4096, 4096, 4096, 8192, 8192, 12288, 8192]);
        // In the place of its operand, `d` needs nothing of its own, and keeps `c`.
        let mut in_place = vec![false; entry.instructions.len()];
        in_place[7] = true;
        assert_eq!(super::held(entry, &in_place)[7], 4096);
    }
}
