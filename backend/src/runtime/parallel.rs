//! `interpreter.run_parallel`: a grid of processes, each on a thread of its own, that meet in
//! collectives. What a process computes does not depend on who arrives first.

use super::{Executable, Process, Value};
use ici::{Grid, ProcessId};
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

type Path = Arc<[Arc<str>]>;

/// More simulated processes than this in one module is a mistake, or an attack on the machine.
const MAX_PROCESSES: usize = 1024;

/// What all processes of a run share.
pub(super) struct World {
    grid: Grid,
    state: Mutex<State>,
    wakeup: Condvar,
    /// Functions whose results an infeed takes, one call each, in order.
    infeed: Mutex<VecDeque<Path>>,
}

#[derive(Default)]
struct State {
    /// By (operation or channel, group): what has been brought so far.
    meetings: HashMap<(String, Vec<ProcessId>), Meeting>,
    /// By (channel, source, target).
    mail: HashMap<(i64, usize, usize), VecDeque<Vec<Value>>>,
    /// What processes sent to the host, by channel: it hands it to whoever asks on that channel.
    host: HashMap<i64, VecDeque<Vec<Value>>>,
    /// Processes that found nothing since the last change.
    waiting: usize,
    running: usize,
    /// Counts changes, so that a waiter knows whether it was counted out.
    generation: u64,
    /// Somebody failed, or everybody waits: all waits end.
    over: Option<Diagnostic>,
}

struct Meeting {
    brought: Vec<Option<Vec<Tensor>>>,
    missing: usize,
    /// How many have yet to read; the last one clears the table for the next round.
    unread: usize,
}

/// One process's view of the world.
pub(super) struct Member<'a> {
    world: &'a World,
    id: ProcessId,
}

impl Member<'_> {
    pub(super) fn grid(&self) -> Grid {
        self.world.grid
    }

    pub(super) fn id(&self) -> ProcessId {
        self.id
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.world.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Waits until `ready` gives something. When every process waits, nobody can help: a deadlock.
    fn wait<T>(&self, what: &str, mut ready: impl FnMut(&mut State) -> Option<T>) -> Result<T> {
        let mut state = self.lock();
        loop {
            if let Some(value) = ready(&mut state) {
                self.world.changed(&mut state);
                return Ok(value);
            }
            if let Some(e) = &state.over {
                return Err(e.clone());
            }
            state.waiting += 1;
            if state.waiting == state.running {
                // All others have looked since the last change and found nothing for them.
                let e = Diagnostic::invalid(format!(
                    "deadlock: all {} running processes wait; replica {} of partition {} for {what}",
                    state.running, self.id.replica, self.id.partition
                ));
                state.over = Some(e.clone());
                self.world.changed(&mut state);
                return Err(e);
            }
            let seen = state.generation;
            state = self.world.wakeup.wait(state).unwrap_or_else(|e| e.into_inner());
            if state.generation == seen {
                state.waiting -= 1; // A spurious wake-up.
            }
        }
    }

    /// Brings `operands` to the group's meeting and takes everybody's, in group order.
    pub(super) fn meet(
        &self,
        name: String,
        group: &[ProcessId],
        operands: Vec<Tensor>,
    ) -> Result<Vec<Vec<Tensor>>> {
        let me = group.iter().position(|&p| p == self.id).unwrap_or(0);
        let key = (name, group.to_vec());
        // A fast process may come for the next round while others still read this one.
        let mut operands = Some(operands);
        self.wait(&key.0, |state| {
            let n = group.len();
            let meeting = state.meetings.entry(key.clone()).or_insert_with(|| Meeting {
                brought: vec![None; n],
                missing: n,
                unread: n,
            });
            if meeting.missing > 0 && meeting.brought[me].is_none() {
                meeting.brought[me] = operands.take();
                meeting.missing -= 1;
                return Some(());
            }
            None
        })?;
        let brought = self.wait(&key.0, |state| {
            let meeting = state.meetings.get_mut(&key)?;
            if meeting.missing > 0 {
                return None;
            }
            let all: Vec<Vec<Tensor>> = meeting.brought.iter().flatten().cloned().collect();
            meeting.unread -= 1;
            if meeting.unread == 0 {
                state.meetings.remove(&key);
            }
            Some(all)
        })?;
        Ok(brought)
    }
}

impl Process<'_> {
    pub(super) fn infeed(&self, member: &Member<'_>) -> Result<Vec<Value>> {
        let next = member.world.infeed.lock().unwrap_or_else(|e| e.into_inner()).pop_front();
        let path = next.ok_or_else(|| Diagnostic::invalid("the infeed is empty"))?;
        self.call(self.exe.program.lookup(&path)?, Vec::new(), 0)
    }

    pub(super) fn send(&self, channel: i64, pairs: Option<&[(i64, i64)]>, values: Vec<Value>) -> Result<()> {
        let member = self.member.ok_or_else(|| alone("send"))?;
        let me = member.grid().flat(member.id()) as i64;
        let mut state = member.lock();
        for &(_, target) in pairs.unwrap_or_default().iter().filter(|p| p.0 == me) {
            state.mail.entry((channel, me as usize, target as usize)).or_default().push_back(values.clone());
        }
        member.world.changed(&mut state);
        Ok(())
    }

    /// Outside a parallel run nobody listens: the values leave the device, and the program goes on.
    pub(super) fn send_to_host(&self, channel: i64, values: Vec<Value>) {
        if let Some(member) = self.member {
            let mut state = member.lock();
            state.host.entry(channel).or_default().push_back(values);
            member.world.changed(&mut state);
        }
    }

    pub(super) fn recv_from_host(&self, channel: i64) -> Result<Vec<Value>> {
        let member = self.member.ok_or_else(|| super::ops::host_only("recv"))?;
        member.wait("recv", |state| state.host.get_mut(&channel)?.pop_front())
    }

    pub(super) fn recv(&self, channel: i64, pairs: Option<&[(i64, i64)]>) -> Result<Vec<Value>> {
        let member = self.member.ok_or_else(|| alone("recv"))?;
        let me = member.grid().flat(member.id()) as i64;
        let source = pairs.unwrap_or_default().iter().find(|p| p.1 == me).map(|p| p.0).ok_or_else(|| {
            Diagnostic::unsupported(format!("recv on channel {channel}: nobody sends to process {me}"))
                .help("give source_target_pairs")
        })?;
        let key = (channel, source as usize, me as usize);
        member.wait("recv", |state| state.mail.get_mut(&key)?.pop_front())
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
        if grid.len() > MAX_PROCESSES {
            return Err(Diagnostic::unsupported(format!(
                "{} processes: at most {MAX_PROCESSES} are simulated at once",
                grid.len()
            )));
        }
        let world = World {
            grid,
            state: Mutex::new(State { running: grid.len(), ..State::default() }),
            wakeup: Condvar::new(),
            infeed: Mutex::new(infeed.iter().cloned().collect()),
        };
        let mut operands = operands.into_iter();
        let mut tasks = Vec::new();
        for (i, path) in programs.iter().flatten().enumerate() {
            let f = self.exe.program.lookup(path)?;
            let args: Vec<Value> = operands.by_ref().take(f.function.arg_types.len()).collect();
            if args.len() != f.function.arg_types.len() {
                return Err(Diagnostic::invalid("run_parallel: too few operands for its programs"));
            }
            tasks.push((grid.process(i), f, args));
        }
        let (exe, ctx, probes, world) = (self.exe, &self.ctx, self.probes, &world);
        let results: Vec<Result<Vec<Value>>> = std::thread::scope(|s| {
            let handles: Vec<_> = tasks
                .into_iter()
                .map(|(id, f, args)| {
                    let run = move || run_one((exe, ctx, probes), world, id, f, args);
                    std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(s, run)
                })
                .collect();
            handles
                .into_iter()
                .map(|h| match h {
                    Ok(h) => h.join().unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic))),
                    Err(e) => Err(world.fail(Diagnostic::resource(format!("no thread for a process: {e}")))),
                })
                .collect()
        });
        let mut out = Vec::new();
        for r in results {
            out.extend(r?);
        }
        Ok(out)
    }
}

impl World {
    /// Something is new: everybody looks again.
    fn changed(&self, state: &mut State) {
        state.generation += 1;
        state.waiting = 0;
        self.wakeup.notify_all();
    }

    /// Ends everybody's waiting with `e`, unless something ended it before.
    fn fail(&self, e: Diagnostic) -> Diagnostic {
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        let first = state.over.get_or_insert(e).clone();
        self.changed(&mut state);
        first
    }
}

fn run_one(
    (exe, ctx, probes): (&Executable, &Ctx, &super::Probes),
    world: &World,
    id: ProcessId,
    f: &crate::plan::FunctionPlan,
    args: Vec<Value>,
) -> Result<Vec<Value>> {
    let member = Member { world, id };
    // A panic here must not leave the others waiting for somebody who is gone.
    let call = AssertUnwindSafe(|| Process::new(exe, ctx, Some(&member), probes).call(f, args, 0));
    let result = catch_unwind(call).unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic)));
    {
        let mut state = world.state.lock().unwrap_or_else(|e| e.into_inner());
        state.running -= 1;
        // Those who wait for this process will wait forever: let them find out.
        if state.running > 0 && state.waiting == state.running && state.over.is_none() && result.is_ok() {
            state.over = Some(Diagnostic::invalid(format!(
                "deadlock: the remaining {} processes wait for one that has ended",
                state.running
            )));
            world.changed(&mut state);
        }
    }
    result.map_err(|e| world.fail(e))
}

fn alone(what: &str) -> Diagnostic {
    Diagnostic::unsupported(format!("{what}: there is no other process in this run"))
}
