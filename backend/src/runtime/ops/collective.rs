//! Collectives: each process brings its operands, waits for its group, and computes its own share.

use super::{Site, Tensors};
use crate::runtime::frame::Frame;
use crate::runtime::world::Member;
use crate::runtime::{Process, Value};
use ici::groups::{self, Strategy};
use ici::{Grid, ProcessId, collective};
use sim_core::ir::op::Collective;
use sim_core::ir::{Binary, Op};
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use std::sync::Arc;

impl Process<'_> {
    /// Where this process stands. Outside a parallel run it is alone.
    pub(super) fn place(&self) -> (Grid, ProcessId) {
        match self.member {
            Some(m) => (m.grid(), m.id()),
            None => (Grid { replicas: 1, partitions: 1 }, ProcessId { replica: 0, partition: 0 }),
        }
    }

    /// All members' operands, in group order, with this process's index; `None` outside every group.
    fn exchange(
        &self,
        site: &Site<'_>,
        channel: i64,
        group: Option<Vec<ProcessId>>,
        operands: Vec<Tensor>,
    ) -> Result<Option<(usize, Handed)>> {
        let (_, me) = self.place();
        let Some(group) = group else { return Ok(None) };
        let index = group
            .iter()
            .position(|&p| p == me)
            .ok_or_else(|| Diagnostic::invalid("the process is not in its own group"))?;
        let all = match self.member {
            Some(m) if group.len() > 1 => m.exchange(site, channel, &group, operands, Ok)?,
            _ => vec![operands].into(),
        };
        Ok(Some((index, all)))
    }

    /// What every member gets alike: `f` makes it of each operand position's tensors, once for the group. A
    /// process in no group keeps its operands: the specification leaves its results to the implementation.
    fn alike(
        &self,
        site: &Site<'_>,
        channel: i64,
        group: Option<Vec<ProcessId>>,
        operands: Vec<Tensor>,
        f: impl Fn(&[Tensor]) -> Result<Tensor>,
    ) -> Result<Vec<Value>> {
        let Some(group) = group else {
            return Ok(operands.into_iter().map(Value::Tensor).collect());
        };
        let count = operands.len();
        let make = |all: Vec<Vec<Tensor>>| {
            Ok(vec![(0..count).map(|k| f(&position(&all, k)?)).collect::<Result<Vec<_>>>()?])
        };
        let made = match self.member {
            Some(m) if group.len() > 1 => m.exchange(site, channel, &group, operands, make)?,
            _ => make(vec![operands])?.into(),
        };
        Ok(made.iter().flatten().cloned().map(Value::Tensor).collect())
    }

    fn group(&self, c: &Collective, strategy: Strategy) -> Result<Option<Vec<ProcessId>>> {
        let (grid, me) = self.place();
        let lists = groups::expand(&c.replica_groups, &self.exe.program.module)?;
        groups::group_of(grid, me, &lists, strategy)
    }

    /// The group may be of another size than the program's shapes are made for.
    pub(super) fn collective(
        &self,
        site: &Site<'_>,
        operands: Tensors,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let out = self.collective_values(site, operands, frame)?;
        for (value, &id) in out.iter().zip(&site.op.results) {
            let declared = site.f.function.ty(id);
            if let (Value::Tensor(t), Some(dims)) =
                (value, declared.as_tensor().and_then(|ty| ty.static_dims()))
                && *t.shape() != *dims
            {
                return Err(Diagnostic::invalid(format!(
                    "what the group's devices have gives {}, and the result is declared {declared}",
                    t.ty()
                ))
                .help("check replica_groups, and how many devices the module says it is for"));
            }
        }
        Ok(out)
    }

    fn collective_values(&self, site: &Site<'_>, operands: Tensors, frame: &mut Frame) -> Result<Vec<Value>> {
        let ctx = &self.ctx;
        let (grid, me) = self.place();
        let op = &site.op.op;
        match op {
            Op::ReplicaId => return Ok(vec![Tensor::scalar(me.replica as u32).into()]),
            Op::PartitionId => return Ok(vec![Tensor::scalar(me.partition as u32).into()]),
            _ => {}
        }
        let mut operands = operands.rest()?;
        let channel = |c: &Collective| c.channel.map_or(0, |c| c.handle);
        match op {
            Op::AllGather { dim, collective: c } => {
                let group = self.group(c, Strategy::of(c)?)?;
                self.alike(site, channel(c), group, operands, |xs| {
                    collective::all_gather(ctx, xs, *dim as usize)
                })
            }
            Op::AllToAll { split_dim, concat_dim, split_count, collective: c } => {
                let group = self.group(c, Strategy::of_two(c))?;
                if let Some(g) = &group
                    && g.len() as i64 != *split_count
                {
                    return Err(Diagnostic::invalid(format!(
                        "split_count is {split_count}, and the group has {} processes",
                        g.len()
                    )));
                }
                let all = self.exchange(site, channel(c), group, operands.clone())?;
                each(all, operands, |i, xs| {
                    let (s, c) = (*split_dim as usize, *concat_dim as usize);
                    collective::all_to_all(ctx, xs, i, s, c, *split_count as usize)
                })
            }
            Op::AllReduce(c) => {
                let body = self.region_fn(site.f, site.op.regions[0], frame)?;
                let group = self.group(c, Strategy::of(c)?)?;
                let out = self.alike(site, channel(c), group, operands, |xs| {
                    let reduced = collective::all_reduce(ctx, xs, &body)?;
                    body.finish()?;
                    Ok(reduced)
                })?;
                Ok(out)
            }
            Op::ReduceScatter { dim, collective: c } => {
                let body = self.region_fn(site.f, site.op.regions[0], frame)?;
                let all =
                    self.exchange(site, channel(c), self.group(c, Strategy::of(c)?)?, operands.clone())?;
                let out = each(all, operands, |i, xs| {
                    collective::reduce_scatter(ctx, xs, i, *dim as usize, &body)
                })?;
                body.finish()?;
                Ok(out)
            }
            Op::CollectiveReduce(c) => {
                // The root of the group gets the reduction; the others get zeros, and who is in no group too.
                let roots = roots(c, &mut operands)?;
                let body = self.region_fn(site.f, site.op.regions[0], frame)?;
                let group = self.group(c, Strategy::of(c)?)?;
                let mut out = zeros(ctx, &operands)?;
                if let Some((me, all)) = self.exchange(site, channel(c), group, operands)? {
                    for (k, (out, &root)) in out.iter_mut().zip(&roots).enumerate() {
                        if root == me {
                            *out = collective::all_reduce(ctx, &position(&all, k)?, &body)?.into();
                        }
                    }
                }
                body.finish()?;
                Ok(out)
            }
            Op::CollectiveBroadcast(c) => {
                let roots = roots(c, &mut operands)?;
                let group = self.group(c, Strategy::of_two(c))?;
                let Some((_, all)) = self.exchange(site, channel(c), group, operands.clone())? else {
                    return zeros(ctx, &operands);
                };
                roots
                    .iter()
                    .enumerate()
                    .map(|(k, &root)| match all.get(root).and_then(|m| m.get(k)) {
                        Some(t) => Ok(Value::Tensor(t.clone())),
                        None => Err(Diagnostic::invalid(format!("root {root} of a group of {}", all.len()))),
                    })
                    .collect()
            }
            Op::CollectivePermute { source_target_pairs, channel } => {
                let channel = channel.map_or(0, |c| c.handle);
                let strategy = Strategy::of_simple(channel);
                let everybody: Vec<i64> = match strategy {
                    Strategy::CrossPartition => (0..grid.partitions as i64).collect(),
                    _ => (0..grid.replicas as i64).collect(),
                };
                let group = groups::group_of(grid, me, &[everybody], strategy)?;
                let Some((index, all)) = self.exchange(site, channel, group, operands.clone())? else {
                    return zeros(ctx, &operands);
                };
                match source_target_pairs.iter().find(|p| p.1 == index as i64) {
                    Some(&(source, _)) => match usize::try_from(source).ok().and_then(|s| all.get(s)) {
                        Some(values) => Ok(values.iter().cloned().map(Value::Tensor).collect()),
                        None => Err(Diagnostic::invalid(format!(
                            "source_target_pairs names process {source}, and there are {}",
                            all.len()
                        ))),
                    },
                    None => zeros(ctx, &operands),
                }
            }
            Op::CrossReplicaSum(g) => {
                let c = Collective {
                    replica_groups: g.clone(),
                    channel: None,
                    use_global_device_ids: false,
                    has_dynamic_root: false,
                };
                let group = self.group(&c, Strategy::CrossReplica)?;
                self.alike(site, 0, group, operands, |xs| {
                    let (first, rest) =
                        xs.split_first().ok_or_else(|| Diagnostic::invalid("a group without members"))?;
                    rest.iter().try_fold(first.clone(), |acc, x| {
                        super::elementwise::binary(ctx, Binary::Add, &acc, x)
                    })
                })
            }
            other => Err(Diagnostic::unsupported(format!("{} as a collective", other.name()))),
        }
    }
}

/// The position in the group of each operand's root: given by the last operand, or the first.
fn roots(c: &Collective, operands: &mut Vec<Tensor>) -> Result<Vec<usize>> {
    if !c.has_dynamic_root {
        return Ok(vec![0; operands.len()]);
    }
    let last = operands.pop().ok_or_else(|| Diagnostic::invalid("a dynamic root without operands"))?;
    last.to_i64s()
        .into_iter()
        .map(|r| usize::try_from(r).map_err(|_| Diagnostic::invalid(format!("root {r} is not a position"))))
        .collect()
}

/// Applies `f` to each operand position's tensors over the group. A process in no group keeps its
/// operands.
fn each(
    all: Option<(usize, Handed)>,
    operands: Vec<Tensor>,
    f: impl Fn(usize, &[Tensor]) -> Result<Tensor>,
) -> Result<Vec<Value>> {
    let Some((index, all)) = all else {
        return Ok(operands.into_iter().map(Value::Tensor).collect());
    };
    (0..operands.len()).map(|k| Ok(Value::Tensor(f(index, &position(&all, k)?)?))).collect()
}

/// Every member's operand `k`: of one type.
fn position(all: &[Vec<Tensor>], k: usize) -> Result<Vec<Tensor>> {
    let xs: Option<Vec<Tensor>> = all.iter().map(|m| m.get(k).cloned()).collect();
    let xs = xs.ok_or_else(|| Diagnostic::invalid("members bring different operands"))?;
    if let Some(t) = xs.iter().find(|t| t.element() != xs[0].element() || t.shape() != xs[0].shape()) {
        return Err(Diagnostic::invalid(format!("members of a group bring {} and {}", xs[0].ty(), t.ty())));
    }
    Ok(xs)
}

fn zeros(ctx: &Ctx, like: &[Tensor]) -> Result<Vec<Value>> {
    like.iter().map(|t| Ok(ctx.alloc_zeroed(t.element(), t.shape())?.into())).collect()
}

impl Member<'_> {
    /// A meeting of the group at this operation. `make` makes of everybody's operands what all get.
    pub(super) fn exchange(
        &self,
        site: &Site<'_>,
        channel: i64,
        group: &[ProcessId],
        operands: Vec<Tensor>,
        make: impl FnOnce(Vec<Vec<Tensor>>) -> Result<Vec<Vec<Tensor>>>,
    ) -> Result<Handed> {
        let op = site.op;
        // Programs that differ meet by channel; the same program's instances by operation.
        let at = || format!("{} at {}#{}", op.name(), site.f.function.name, op.span.start);
        let name = if channel > 0 && !self.same_program() {
            format!("{} on channel {channel}", op.name())
        } else {
            // An operation without a place in a text still has its results.
            format!("{}#{:?}", at(), op.results.first())
        };
        let place = || match op.loc.file_line() {
            Some((file, line, _)) => format!("{} at {file}:{line}", op.name()),
            None => match op.loc.name() {
                Some(name) => format!("{} of \"{name}\"", op.name()),
                None => format!("{} in @{} (at byte {})", op.name(), site.f.function.name, op.span.start),
            },
        };
        let bytes = operands.iter().map(|t| t.bytes().len() as u64).sum::<u64>();
        if group.first() == Some(&self.id()) {
            self.count(op.name(), bytes * group.len() as u64);
        }
        self.meet(name, place, group, operands, make)
    }
}

type Handed = Arc<Vec<Vec<Tensor>>>;
