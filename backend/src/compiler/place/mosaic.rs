//! What a Mosaic kernel reads is fetched whole right before it, where the chip's compiler does so (`vmem.mosaic_operand_bytes`): its operands in their
//! order, those that still fit. Nothing runs beside those copies.

use super::Room;
use super::fetch::{Fetch, Site};
use crate::time::arrays;
use sim_core::hlo::{HloModule, Instruction, InstructionId, Key, Opcode, Value};

/// The copies before each kernel of a computation.
pub(super) fn fetches(
    module: &HloModule,
    id: sim_core::hlo::ComputationId,
    most: u64,
    room: &mut Room,
) -> Vec<Fetch> {
    let site = Site::new(module, id);
    let mut fetches = Vec::new();
    for (k, i) in site.computation.instructions.iter().enumerate().filter(|(_, i)| is_mosaic(i)) {
        let mut left = most;
        let mut seen: Vec<InstructionId> = Vec::new();
        for (n, &operand) in i.operands.iter().enumerate() {
            let Some(bytes) = site.in_hbm(operand).filter(|&b| b <= left) else { continue };
            let is_one = site
                .computation
                .instruction(operand)
                .shape
                .as_array()
                .is_some_and(|a| arrays::elements(a) <= 1.0);
            if is_one || written(i, n) || seen.contains(&operand) || !room.has(bytes, k, k) {
                continue;
            }
            left -= bytes;
            room.take(bytes, k, k);
            seen.push(operand);
            fetches.push(Fetch { what: operand, start: k, readers: vec![k], across: false, at_once: true });
        }
    }
    fetches
}

fn is_mosaic(i: &Instruction) -> bool {
    i.opcode == Opcode::CustomCall
        && matches!(i.attr(&Key::CustomCallTarget), Some(Value::String(target)) if &**target == "tpu_custom_call")
}

/// A result takes the operand's place.
fn written(i: &Instruction, operand: usize) -> bool {
    let Some(Value::Aliases(all)) = i.attr(&Key::OutputToOperandAliasing) else { return false };
    all.iter().any(|a| a.parameter == operand as i64)
}
