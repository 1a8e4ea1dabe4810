//! Collectives: each process brings its operands, waits for its group, and computes its own share.

use super::{Site, Tensors};
use crate::runtime::frame::Frame;
use crate::runtime::parallel::Member;
use crate::runtime::{Process, Value};
use ici::groups::{self, Strategy};
use ici::{Grid, ProcessId, collective};
use sim_core::ir::op::{Collective, ReplicaGroups};
use sim_core::ir::{Binary, Op};
use sim_core::{Ctx, Diagnostic, Result, Tensor};

impl Process<'_> {
    /// Where this process stands. Outside a parallel run it is alone.
    fn place(&self) -> (Grid, ProcessId) {
        match self.member {
            Some(m) => (m.grid(), m.id()),
            None => (Grid { replicas: 1, partitions: 1 }, ProcessId { replica: 0, partition: 0 }),
        }
    }

    /// All members' operands, in group order, with this process's index; `None` outside every group.
    #[allow(clippy::type_complexity)]
    fn exchange(
        &self,
        site: &Site<'_>,
        channel: i64,
        group: Option<Vec<ProcessId>>,
        operands: Vec<Tensor>,
    ) -> Result<Option<(usize, Vec<Vec<Tensor>>)>> {
        let (_, me) = self.place();
        let Some(group) = group else { return Ok(None) };
        let index = group
            .iter()
            .position(|&p| p == me)
            .ok_or_else(|| Diagnostic::invalid("the process is not in its own group"))?;
        let all = match self.member {
            Some(m) if group.len() > 1 => m.exchange(site, channel, &group, operands)?,
            _ => vec![operands],
        };
        Ok(Some((index, all)))
    }

    fn group(&self, c: &Collective, strategy: Strategy) -> Result<Option<Vec<ProcessId>>> {
        let (grid, me) = self.place();
        let lists = groups::expand(&c.replica_groups, &self.exe.program.module)?;
        groups::group_of(grid, me, &lists, strategy)
    }

    pub(super) fn collective(
        &self,
        site: &Site<'_>,
        operands: Tensors,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
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
                let all =
                    self.exchange(site, channel(c), self.group(c, Strategy::of(c)?)?, operands.clone())?;
                each(all, operands, |_, xs| collective::all_gather(ctx, xs, *dim as usize))
            }
            Op::AllToAll { split_dim, concat_dim, split_count, collective: c } => {
                let group = self.group(c, simple(c))?;
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
                let all =
                    self.exchange(site, channel(c), self.group(c, Strategy::of(c)?)?, operands.clone())?;
                let out = each(all, operands, |_, xs| collective::all_reduce(ctx, xs, &body))?;
                body.finish()?;
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
                            let xs = all.iter().map(|m| m[k].clone()).collect::<Vec<_>>();
                            *out = collective::all_reduce(ctx, &xs, &body)?.into();
                        }
                    }
                }
                body.finish()?;
                Ok(out)
            }
            Op::CollectiveBroadcast(c) => {
                let roots = roots(c, &mut operands)?;
                let group = self.group(c, simple(c))?;
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
                let Some((index, mut all)) = self.exchange(site, channel, group, operands.clone())? else {
                    return zeros(ctx, &operands);
                };
                match source_target_pairs.iter().find(|p| p.1 == index as i64) {
                    Some(&(source, _)) if (source as usize) < all.len() => {
                        Ok(all.swap_remove(source as usize).into_iter().map(Value::Tensor).collect())
                    }
                    Some(&(source, _)) => Err(Diagnostic::invalid(format!(
                        "source_target_pairs names process {source}, and there are {}",
                        all.len()
                    ))),
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
                let all =
                    self.exchange(site, 0, self.group(&c, Strategy::CrossReplica)?, operands.clone())?;
                each(all, operands, |_, xs| {
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

fn simple(c: &Collective) -> Strategy {
    match c.replica_groups {
        ReplicaGroups::MeshAxes { .. } => Strategy::FlattenedIds,
        _ => Strategy::of_simple(c.channel.map_or(0, |c| c.handle)),
    }
}

/// Applies `f` to each operand position's tensors over the group. A process in no group keeps its
/// operands: the specification leaves its results to the implementation.
fn each(
    all: Option<(usize, Vec<Vec<Tensor>>)>,
    operands: Vec<Tensor>,
    f: impl Fn(usize, &[Tensor]) -> Result<Tensor>,
) -> Result<Vec<Value>> {
    let Some((index, all)) = all else {
        return Ok(operands.into_iter().map(Value::Tensor).collect());
    };
    (0..operands.len())
        .map(|k| {
            let xs = all
                .iter()
                .map(|m| {
                    m.get(k).cloned().ok_or_else(|| Diagnostic::invalid("members bring different operands"))
                })
                .collect::<Result<Vec<_>>>()?;
            if let Some(t) = xs.iter().find(|t| t.element() != xs[0].element() || t.rank() != xs[0].rank()) {
                return Err(Diagnostic::invalid(format!(
                    "members of a group bring {} and {}",
                    xs[0].ty(),
                    t.ty()
                )));
            }
            Ok(Value::Tensor(f(index, &xs)?))
        })
        .collect()
}

fn zeros(ctx: &Ctx, like: &[Tensor]) -> Result<Vec<Value>> {
    like.iter().map(|t| Ok(ctx.alloc_zeroed(t.element(), t.shape())?.into())).collect()
}

impl<'a> Member<'a> {
    fn exchange(
        &self,
        site: &Site<'_>,
        channel: i64,
        group: &[ProcessId],
        operands: Vec<Tensor>,
    ) -> Result<Vec<Vec<Tensor>>> {
        // Programs that differ meet by channel; the same program's instances by operation.
        let name = if channel > 0 {
            format!("{} on channel {channel}", site.op.name())
        } else {
            format!("{} at {}#{}", site.op.name(), site.f.function.name, site.op.results[0].0)
        };
        self.meet(name, group, operands)
    }
}
