//! Kernels of products whose windows are not chosen yet: what a chooser sees of them, and what they cost with windows that it tries.

use super::beside::Vector;
use super::product;
pub(crate) use super::product::Dim;
use super::{Access, Family, Kernel, Subject, family};
use crate::time::arrays::physical;
use crate::time::config::BackendConfig;
use crate::time::contents::Catalogue;
use crate::time::machine::Machine;
use crate::time::product::{Role, Site};
use sim_core::Result;
use sim_core::engine::Duration;
use sim_core::hlo::{Instruction, Shape};
use smallvec::SmallVec;
use std::rc::Rc;
use tensorcore::vmem::pipeline::Direction;

/// An instruction that is a kernel of a product.
pub(crate) struct Choosable<'a> {
    subject: Subject<'a>,
    pub site: Rc<Site>,
    vector: Vector,
}

/// Which windows an operand's or result's move with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Rows, batches, and the contracted dimension.
    Left,
    /// Columns, batches, and the contracted dimension.
    Right,
    /// Those of the result.
    Result,
}

impl<'a> Choosable<'a> {
    /// `None` of an instruction that is no kernel of a product, or one whose windows are stated.
    ///
    /// # Errors
    /// Kind `Malformed`: a `backend_config` that is not what it should be.
    pub fn of(
        machine: Machine<'a>,
        instruction: &'a Instruction,
        operands: &[&'a Shape],
        catalogue: &mut Catalogue<'a>,
    ) -> Result<Option<Choosable<'a>>> {
        let subject = Subject::new(machine, instruction, operands, catalogue)?;
        let site = match family(&subject) {
            Family::Product(site) if subject.config.window_config.is_none() => site.clone(),
            _ => return Ok(None),
        };
        let vector = Vector::new(&subject, &site);
        Ok(Some(Choosable { subject, site, vector }))
    }

    pub fn machine(&self) -> Machine<'a> {
        self.subject.machine
    }

    /// All that the cost depends on besides the chip, as text: kernels of one key have one choice.
    pub fn key(&self) -> String {
        let s = &self.subject;
        format!("{:?} {:?} {:?} {:?}", s.config, s.contents, s.accesses, s.in_place)
    }

    /// Dimensions of the product's result in the order of memory, uncut, with the logical number of each.
    pub fn dims(&self) -> SmallVec<[(usize, Dim); 6]> {
        let physical = self.site.result.as_array().map(physical).unwrap_or_default();
        let rank = physical.len();
        let of = |(i, &(d, size)): (usize, &(usize, usize))| {
            let role = self.site.roles.get(d).copied().unwrap_or(Role::Rows);
            let size = (size as u64).max(1);
            (d, Dim { role, size, window: size, lanes: rank - i == 1 })
        };
        physical.iter().enumerate().map(of).collect()
    }

    /// Operands and results that it touches, and with what their windows move.
    pub fn touched(&self) -> impl Iterator<Item = (&Access<'a>, Moves)> {
        self.subject.accesses.iter().filter(|a| a.bytes > 0).map(|a| (a, self.moves(a)))
    }

    fn moves(&self, access: &Access<'_>) -> Moves {
        let bit = 1u64 << access.operand.min(63);
        match (access.direction, self.subject.contents.sides.map(|s| s & bit != 0)) {
            (Direction::In, [true, false]) => Moves::Left,
            (Direction::In, [false, true]) => Moves::Right,
            _ => Moves::Result,
        }
    }

    /// Bytes of HBM a second that it reaches, over all cores.
    pub fn rate(&self) -> f64 {
        self.subject.rate()
    }

    /// How long the matrix units of one core take for all of it, cut so.
    pub fn multiplying(&self, dims: &[Dim], parts: u64) -> Duration {
        product::products_of(&self.site, dims, parts, self.subject.machine.units).0
    }

    /// Seconds that they take at least, however it is cut.
    pub fn multiplying_least(&self) -> f64 {
        let dims: SmallVec<[Dim; 6]> = self.dims().into_iter().map(|(_, dim)| dim).collect();
        product::least(&self.site, &dims, self.subject.machine.units)
    }

    /// How long the vector units of one of all cores take beside the matrix units, and before and after them, for so many windows of columns
    /// and of rows.
    pub fn vector(&self, again: [u64; 2], shared: bool) -> (Duration, Duration) {
        let busy = self.vector.busy(&self.subject, again, shared);
        (busy.vpu.max(busy.xlu), busy.before)
    }

    /// What it costs with windows that `config` states, unless it is found to take longer than `limit`.
    pub fn cost_within(&mut self, config: BackendConfig, limit: Option<Duration>) -> Option<Kernel> {
        let own = std::mem::replace(&mut self.subject.config, config);
        let kernel = product::cost_within(&self.subject, &self.site, &self.vector, limit);
        self.subject.config = own;
        kernel
    }

    /// Of a ragged product, whose batches are groups: which dimension of the grid walks what comes in groups.
    pub fn ragged(&self) -> Option<u64> {
        match *self.config().mask_aggregator_config.as_ref()?.skips()? {
            [_, walked] => Some(walked),
            _ => None,
        }
    }

    /// Its configuration as it stands.
    pub fn config(&self) -> &BackendConfig {
        &self.subject.config
    }
}
