//! `interpreter.run_parallel`, and what processes exchange outside of collectives: mail, the host's side.

use super::world::{Member, Path, World};
use super::{Process, Value};
use ici::Grid;
use sim_core::{Ctx, Diagnostic, Result, Type};

impl Process<'_> {
    pub(super) fn infeed(&self, member: &Member<'_>) -> Result<Vec<Value>> {
        let next = member.next_infeed();
        let path = next.ok_or_else(|| Diagnostic::invalid("the infeed is empty"))?;
        self.call(self.exe.program.lookup(&path)?, Vec::new(), 0)
    }

    pub(super) fn send(&self, channel: i64, pairs: Option<&[(i64, i64)]>, values: Vec<Value>) -> Result<()> {
        let member = self.member.ok_or_else(|| alone("send"))?;
        let (grid, me) = (member.grid(), member.grid().flat(member.id()) as i64);
        for &(_, target) in pairs.unwrap_or_default().iter().filter(|p| p.0 == me) {
            let target = usize::try_from(target).ok().filter(|&t| t < grid.len()).ok_or_else(|| {
                Diagnostic::invalid(format!(
                    "source_target_pairs names process {target}, and there are {}",
                    grid.len()
                ))
            })?;
            member.count("send", bytes(&values));
            member.post(channel, target, values.clone());
        }
        Ok(())
    }

    /// `types`: of what is received. Who is no target gets zeros.
    pub(super) fn recv(
        &self,
        channel: i64,
        pairs: Option<&[(i64, i64)]>,
        types: &[&Type],
    ) -> Result<Vec<Value>> {
        let member = self.member.ok_or_else(|| alone("recv"))?;
        let me = member.grid().flat(member.id()) as i64;
        let Some(pairs) = pairs.filter(|p| !p.is_empty()) else {
            return Err(Diagnostic::unsupported(format!(
                "recv on channel {channel}: nobody sends to process {me}"
            ))
            .help("give source_target_pairs"));
        };
        match pairs.iter().find(|p| p.1 == me).map(|p| usize::try_from(p.0)) {
            Some(Ok(source)) if source < member.grid().len() => member.fetch(channel, source),
            Some(_) => Err(Diagnostic::invalid("source_target_pairs names a process that does not exist")),
            None => types.iter().map(|ty| zeros(&self.ctx, ty)).collect(),
        }
    }

    /// Runs `programs[replica][partition]`, which take their operands in that order, and gives all
    /// their results in the same order.
    pub(super) fn run_parallel(
        &self,
        programs: &[Vec<Path>],
        infeed: &[Path],
        operands: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let grid = Grid { replicas: programs.len(), partitions: programs.first().map_or(0, Vec::len) };
        if programs.iter().any(|row| row.len() != grid.partitions) {
            return Err(Diagnostic::invalid("run_parallel: every replica needs as many partitions"));
        }
        let world = World::new(grid, false, infeed)?;
        let mut operands = operands.into_iter();
        let mut tasks = Vec::new();
        for path in programs.iter().flatten() {
            let f = self.exe.program.lookup(path)?;
            let args: Vec<Value> = operands.by_ref().take(f.function.arg_types.len()).collect();
            if args.len() != f.function.arg_types.len() {
                return Err(Diagnostic::invalid("run_parallel: too few operands for its programs"));
            }
            let (exe, ctx, outside) = (self.exe, &self.ctx, self.outside);
            tasks.push(move |member: &Member<'_>| {
                Process::new(exe, ctx, Some(member), outside).call(f, args, 0)
            });
        }
        Ok(world.run(tasks)?.into_iter().flatten().collect())
    }
}

pub(super) fn bytes(values: &[Value]) -> u64 {
    values.iter().flat_map(Value::leaves).map(|t| t.bytes().len() as u64).sum()
}

fn zeros(ctx: &Ctx, ty: &Type) -> Result<Value> {
    let t = ty.as_tensor().and_then(|t| Some((t.element, t.static_dims()?)));
    let (element, dims) = t.ok_or_else(|| Diagnostic::unsupported(format!("zeros of type {ty}")))?;
    Ok(ctx.alloc_zeroed(element, &dims)?.into())
}

fn alone(what: &str) -> Diagnostic {
    Diagnostic::unsupported(format!("{what}: there is no other process in this run"))
        .help("the module must say how many devices it is for: `num_partitions` or `replica_count` in HLO, `mhlo.num_partitions` or `mhlo.num_replicas` in StableHLO")
}
