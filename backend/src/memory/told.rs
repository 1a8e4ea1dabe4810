//! What instructions say of the memory of their results: asynchronous tuples, aliases, configurations.

use super::buffers::{Buffers, CellId, Cells, MayShare, Scoped, Site};
use super::in_place;
use crate::time::arrays::{Memory as Space, arrays};
use crate::time::config::BackendConfig;
use sim_core::Result;
use sim_core::hlo::{Computation, Instruction, Key, Opcode};

impl Buffers<'_> {
    /// `((operands), results, contexts…)`: what is there already is the operands', or the start's.
    pub(super) fn asynchronous(
        &self,
        instruction: &Instruction,
        operand: &dyn Fn(usize) -> Cells,
        start: Option<&Instruction>,
    ) -> Vec<Option<CellId>> {
        let mut known = vec![None; arrays(&instruction.shape).len()];
        let update = instruction.opcode == Opcode::AsyncUpdate;
        let given: Cells = (usize::from(update)..instruction.operands.len()).flat_map(operand).collect();
        if let Some((first, n)) = in_place::below(&instruction.shape, &[0])
            && n == given.len()
        {
            known[first..first + n].iter_mut().zip(&given).for_each(|(k, &c)| *k = Some(c));
        }
        if let (true, Some(start)) = (update, start) {
            let before = operand(0);
            for part in 0..3 {
                let places = [&instruction.shape, &start.shape].map(|s| in_place::below(s, &[part]));
                if let [Some((to, n)), Some((from, m))] = places
                    && (n == m || part == 2)
                {
                    for i in 0..n.min(m) {
                        known[to + i] = known[to + i].or(before.get(from + i).copied());
                    }
                }
            }
        }
        known
    }

    /// `output_to_operand_aliasing`.
    pub(super) fn by_attribute(
        &self,
        instruction: &Instruction,
        computation: &Computation,
        operand: &dyn Fn(usize) -> Cells,
        known: &mut Vec<Option<CellId>>,
    ) {
        for alias in in_place::aliases(instruction.attr(&Key::OutputToOperandAliasing)) {
            let from = usize::try_from(alias.parameter).ok().and_then(|n| {
                let operand = instruction.operands.get(n)?;
                Some((n, &computation.instructions.get(operand.0 as usize)?.shape))
            });
            let Some((n, shape)) = from else { continue };
            let places =
                (in_place::below(&instruction.shape, &alias.output), in_place::below(shape, &alias.path));
            let (Some((to, count)), Some((first, _))) = places else { continue };
            let cells = operand(n);
            known.resize(known.len().max(to + count), None);
            for i in 0..count {
                known[to + i] = cells.get(first + i).copied().or(known[to + i]);
            }
        }
    }

    /// What the `backend_config` says: a kernel's own memory, and which of its results may lie in operands.
    pub(super) fn configured(
        &mut self,
        instruction: &Instruction,
        site: Site,
        operands: &[CellId],
        results: &[CellId],
    ) -> Result<()> {
        if instruction.attr(&Key::BackendConfig).is_none() {
            return Ok(());
        }
        let (step, config) = (self.now(), BackendConfig::of(instruction)?);
        for memory in config.used_scoped_memory_configs {
            let space = match memory.memory_space {
                0 => Space::Hbm,
                1 => Space::Vmem,
                _ => continue,
            };
            if memory.size > 0 {
                self.scoped.push(Scoped { step, site, space, bytes: memory.size });
            }
        }
        // Operands are counted first, then results.
        for list in config.aliasing_operands.into_iter().flat_map(|a| a.lists) {
            let places = list.indices.iter().filter_map(|&i| usize::try_from(i).ok());
            let (given, made): (Vec<usize>, Vec<usize>) = places.partition(|&i| i < operands.len());
            for result in made.iter().filter_map(|&i| results.get(i - operands.len())) {
                let pairs = given.iter().map(|&i| MayShare { step, result: *result, operand: operands[i] });
                self.may_share.extend(pairs);
            }
        }
        Ok(())
    }
}
