//! Does what a program says of devices fit the number of devices that it is for?

use crate::plan::Program;
use crate::sharding::Sharding;
use ici::Grid;
use ici::groups::{self, Strategy};
use sim_core::ir::op::Collective;
use sim_core::ir::{Attr, AttrDict, Function, Mesh, Op, Operation};
use sim_core::{Diagnostic, ErrorKind, Result, Type};

/// Groups and pairs of devices that operations name.
///
/// # Errors
/// Invalid: one names a device that is not there.
pub(super) fn operations(program: &Program, grid: Grid) -> Result<()> {
    let all = || program.functions.iter().flat_map(|f| &f.function.ops);
    // A test of the interpreter's says itself how many processes run what.
    if all().any(|op| matches!(op.op, Op::RunParallel { .. })) {
        return Ok(());
    }
    for op in all() {
        let checked = match &op.op {
            Op::AllGather { collective: c, .. }
            | Op::AllReduce(c)
            | Op::CollectiveReduce(c)
            | Op::ReduceScatter { collective: c, .. } => {
                // What else is wrong with it, the run says.
                Strategy::of(c).map_or(Ok(()), |strategy| group(program, grid, c, strategy))
            }
            Op::AllToAll { collective: c, .. } | Op::CollectiveBroadcast(c) => {
                group(program, grid, c, Strategy::of_two(c))
            }
            Op::CrossReplicaSum(g) => {
                let lists = groups::expand(g, &program.module);
                lists.map_or(Ok(()), |lists| groups::check_ids(grid, &lists, Strategy::CrossReplica))
            }
            Op::CollectivePermute { source_target_pairs, channel } => {
                let strategy = Strategy::of_simple(channel.map_or(0, |c| c.handle));
                pairs(grid, strategy, source_target_pairs)
            }
            _ => continue,
        };
        checked.map_err(|e| placed(e, op))?;
    }
    Ok(())
}

fn placed(e: Diagnostic, op: &Operation) -> Diagnostic {
    e.in_op(op.op.name(), &op.loc).at(op.span)
}

fn group(program: &Program, grid: Grid, c: &Collective, strategy: Strategy) -> Result<()> {
    match groups::expand(&c.replica_groups, &program.module) {
        Ok(lists) => groups::check_ids(grid, &lists, strategy),
        Err(_) => Ok(()),
    }
}

fn pairs(grid: Grid, strategy: Strategy, pairs: &[(i64, i64)]) -> Result<()> {
    let limit = strategy.ids(grid);
    let there = |id: i64| usize::try_from(id).is_ok_and(|id| id < limit);
    let Some(&(from, to)) = pairs.iter().find(|p| !there(p.0) || !there(p.1)) else { return Ok(()) };
    let id = if there(from) { to } else { from };
    Err(groups::out_of_range(
        grid,
        strategy,
        format_args!("source_target_pairs names {} {id} in the pair {{{from},{to}}}", strategy.noun()),
    ))
}

/// What the entry's arguments or results say of where they lie.
pub(super) struct Shardings<'a> {
    pub function: &'a Function,
    pub meshes: &'a [Mesh],
    pub partitions: usize,
    /// What is ignored, because it matters to nobody here.
    pub warnings: Vec<Diagnostic>,
}

impl Shardings<'_> {
    /// `what`: arguments or results.
    ///
    /// # Errors
    /// Invalid: one cannot be read, or does not fit the value's shape or the number of partitions, of which there are
    /// several. On one device, and where it is understood but not modelled, that is a warning.
    pub fn read(&mut self, what: &str, attrs: &[AttrDict], types: &[Type]) -> Result<Vec<Option<Sharding>>> {
        let mut out = vec![None; types.len()];
        for (n, ((slot, attrs), ty)) in out.iter_mut().zip(attrs).zip(types).enumerate() {
            let Some(attr) = attrs.get("sdy.sharding").or_else(|| attrs.get("mhlo.sharding")) else {
                continue;
            };
            match self.one(attr, ty) {
                Ok(sharding) => *slot = sharding,
                Err(e) => {
                    let name = &self.function.name;
                    let e = e.note(format!("in the sharding of {what} {n} of @{name}, {ty}: {attr}"));
                    let e = e.at(self.function.span);
                    if self.partitions > 1 && e.kind() != ErrorKind::Unsupported {
                        return Err(e);
                    }
                    self.warnings.push(e);
                }
            }
        }
        Ok(out)
    }

    fn one(&self, attr: &Attr, ty: &Type) -> Result<Option<Sharding>> {
        let Some(tensor) = ty.as_tensor() else { return Ok(None) };
        let sharding = Sharding::from_attr(attr, self.meshes)?;
        sharding.check(tensor.rank(), self.partitions)?;
        Ok(Some(sharding))
    }
}
