//! Processes in lockstep: a grid of them, each on a thread of its own, that meet in collectives, send each
//! other mail, and find out when nobody can go on.
//!
//! What a process computes does not depend on who arrives first: a meeting hands out everybody's operands in
//! the order of its group, and mail is kept by sender and receiver. No more processes compute at once than
//! there are worker threads; who waits lets another one on.

mod member;

use super::Value;
use ici::{Grid, ProcessId};
use sim_core::{Diagnostic, Result, Tensor};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

pub(super) type Path = Arc<[Arc<str>]>;

/// More simulated processes than this in one module is a mistake, or an attack on the machine.
pub(super) const MAX_PROCESSES: usize = 1024;

/// Reserved for each process, and touched only as deep as its regions nest.
const STACK: usize = 64 << 20;

/// By tensors, for each member of the group in its order; or one list for all of them.
type Handed = Arc<Vec<Vec<Tensor>>>;

/// What all processes of a run share.
pub(super) struct World {
    grid: Grid,
    /// All run the same program, so that an operation is the same operation everywhere.
    same_program: bool,
    state: Mutex<State>,
    /// By process: something came for it.
    wakeup: Vec<Condvar>,
    /// Somebody may go on.
    turn: Condvar,
    /// Set with [`State::over`], to be looked at between steps.
    ended: AtomicBool,
    /// Functions whose results an infeed takes, one call each, in order.
    infeed: Mutex<VecDeque<Path>>,
    traffic: Mutex<BTreeMap<String, Traffic>>,
}

/// What one kind of collective moved in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The operation: `all_reduce`.
    pub operation: String,
    /// How often a group of devices met.
    pub exchanges: u64,
    /// Bytes of all operands that were brought, over all devices.
    pub bytes: u64,
}

#[derive(Default)]
struct State {
    /// By (operation or channel, group): what has been brought so far.
    meetings: HashMap<(String, Vec<ProcessId>), Meeting>,
    /// By process: what came of the meeting it waits for.
    inbox: Vec<Option<Handed>>,
    /// By (channel, source, target).
    mail: HashMap<(i64, usize, usize), VecDeque<Vec<Value>>>,
    /// What processes sent to the host, by channel: it hands it to whoever asks on that channel.
    host: HashMap<i64, VecDeque<Vec<Value>>>,
    /// By process: what it waits for, if it does.
    waits: Vec<Option<String>>,
    /// Processes that have not ended.
    running: usize,
    /// How many more may compute now.
    free: usize,
    /// Somebody failed, or everybody waits: all waits end.
    over: Option<Diagnostic>,
    /// Everybody waited.
    deadlocked: bool,
}

struct Meeting {
    brought: Vec<Option<Vec<Tensor>>>,
    missing: usize,
}

/// One process's view of the world.
pub(super) struct Member<'a> {
    world: &'a World,
    id: ProcessId,
    /// It was told that another one failed.
    ended_by_others: AtomicBool,
}

impl State {
    /// Does everybody who has not ended wait?
    fn deadlock(&self, grid: Grid) -> Option<Diagnostic> {
        let waiting = self.waits.iter().flatten().count();
        if self.running == 0 || waiting < self.running {
            return None;
        }
        let ended = grid.len() - self.running;
        let mut who: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (p, what) in self.waits.iter().enumerate() {
            if let Some(what) = what {
                who.entry(what).or_default().push(p);
            }
        }
        let mut e = Diagnostic::invalid(match (waiting, ended) {
            (n, 0) => format!("deadlock: all {n} devices wait"),
            (1, ended) => format!("deadlock: one device waits, and {ended} ended without it"),
            (n, ended) => format!("deadlock: {n} devices wait, and {ended} ended without them"),
        });
        for (what, processes) in who.into_iter().take(4) {
            e = e.note(format!("{what}: {}", processes_text(grid, &processes)));
        }
        Some(e.help("every process of a group must come to a collective equally often and in the same order"))
    }
}

/// `device 2 (replica 0, partition 2) and 5 others`
fn processes_text(grid: Grid, processes: &[usize]) -> String {
    let first = processes.first().map_or_else(String::new, |&p| process_text(grid, grid.process(p)));
    match processes.len() {
        0 | 1 => first,
        2 => format!("{first} and another one"),
        n => format!("{first} and {} others", n - 1),
    }
}

fn process_text(grid: Grid, p: ProcessId) -> String {
    format!("device {} (replica {}, partition {})", grid.flat(p), p.replica, p.partition)
}

/// How many processes there are.
///
/// # Errors
/// More than are simulated at once.
pub(super) fn check_count(grid: Grid) -> Result<usize> {
    match grid.len() {
        n if n > MAX_PROCESSES => Err(Diagnostic::unsupported(format!(
            "{n} processes: at most {MAX_PROCESSES} are simulated at once"
        ))),
        n => Ok(n),
    }
}

impl World {
    pub(super) fn new(grid: Grid, same_program: bool, infeed: &[Path]) -> Result<World> {
        let n = check_count(grid)?;
        let state = State {
            inbox: vec![None; n],
            waits: vec![None; n],
            running: n,
            free: rayon::current_num_threads().max(1),
            ..State::default()
        };
        Ok(World {
            grid,
            same_program,
            state: Mutex::new(state),
            wakeup: (0..n).map(|_| Condvar::new()).collect(),
            turn: Condvar::new(),
            ended: AtomicBool::new(false),
            infeed: Mutex::new(infeed.iter().cloned().collect()),
            traffic: Mutex::default(),
        })
    }

    /// What was moved, by operation.
    pub(super) fn traffic(&self) -> Vec<Traffic> {
        let traffic = self.traffic.lock().unwrap_or_else(|e| e.into_inner());
        traffic.iter().map(|(name, t)| Traffic { operation: name.clone(), ..t.clone() }).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn wake(&self, state: &mut State, process: usize) {
        if let Some(wait) = state.waits.get_mut(process) {
            *wait = None;
            self.wakeup[process].notify_one();
        }
    }

    fn take_turn<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        while state.free == 0 && state.over.is_none() {
            state = self.turn.wait(state).unwrap_or_else(|e| e.into_inner());
        }
        state.free = state.free.saturating_sub(1);
        state
    }

    /// Ends everybody with `e`, unless something ended it before.
    fn end(&self, state: &mut State, e: Diagnostic) {
        state.over.get_or_insert(e);
        self.ended.store(true, Ordering::Relaxed);
        for p in 0..self.grid.len() {
            self.wake(state, p);
        }
        self.turn.notify_all();
    }

    /// Runs `task(member)` as each process, on threads of their own; results in order.
    ///
    /// # Errors
    /// What went wrong, with the process that it befell: of several that failed by themselves, the first
    /// process's.
    pub(super) fn run<T: Send>(
        &self,
        tasks: Vec<impl FnOnce(&Member<'_>) -> Result<T> + Send>,
    ) -> Result<Vec<T>> {
        let outcomes: Vec<Outcome<T>> = std::thread::scope(|s| {
            let mut handles = Vec::new();
            for (i, task) in tasks.into_iter().enumerate() {
                let run = move || self.run_one(self.grid.process(i), task);
                match std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, run) {
                    Ok(handle) => handles.push(handle),
                    Err(e) => {
                        let e = Diagnostic::resource(format!("no thread for a process: {e}"))
                            .help("raise the limit on processes or on address space (ulimit -u, ulimit -v)");
                        self.end(&mut self.lock(), e);
                        break;
                    }
                }
            }
            let join = |panic: Box<dyn std::any::Any + Send>| Outcome::Failed(Diagnostic::internal(&*panic));
            handles.into_iter().map(|h| h.join().unwrap_or_else(join)).collect()
        });
        let mut values = Vec::new();
        let mut failed = None;
        for outcome in outcomes {
            match outcome {
                Outcome::Done(value) => values.push(value),
                Outcome::Failed(e) => failed = failed.or(Some(e)),
                Outcome::Ended => {}
            }
        }
        match failed.or_else(|| self.lock().over.clone()) {
            Some(e) => Err(e),
            None => Ok(values),
        }
    }

    fn run_one<T>(&self, id: ProcessId, task: impl FnOnce(&Member<'_>) -> Result<T>) -> Outcome<T> {
        let member = Member { world: self, id, ended_by_others: AtomicBool::new(false) };
        drop(self.take_turn(self.lock()));
        // A panic here must not leave the others waiting for somebody who is gone.
        let result = catch_unwind(AssertUnwindSafe(|| task(&member)))
            .unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic)));
        let mut state = self.lock();
        state.running -= 1;
        state.free += 1;
        self.turn.notify_one();
        match result {
            Ok(value) => {
                // Those who wait for this process will wait forever: let them find out.
                if state.over.is_none()
                    && let Some(e) = state.deadlock(self.grid)
                {
                    state.deadlocked = true;
                    self.end(&mut state, e);
                }
                Outcome::Done(value)
            }
            Err(_) if member.ended_by_others.load(Ordering::Relaxed) => Outcome::Ended,
            Err(e) => {
                let e = match self.grid.len() {
                    1 => e,
                    _ => e.note(format!("on {}", process_text(self.grid, id))),
                };
                self.end(&mut state, e.clone());
                Outcome::Failed(e)
            }
        }
    }
}

/// How a process ended.
enum Outcome<T> {
    Done(T),
    Failed(Diagnostic),
    /// By the failure of another one.
    Ended,
}
