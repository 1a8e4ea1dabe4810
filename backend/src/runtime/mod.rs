//! Runs a planned program for its values.
//!
//! An [`Executable`] is a module planned once; [`Executable::run`] walks its steps. Each step finds
//! its kernel in the crate of the unit that runs it; what only a host can do (control flow, checks,
//! custom calls, exchange between processes) is here.
//!
//! * `frame`: values of one function call, by `ValueId`, and the walk over a block's steps
//! * `ops`: one operation to its kernel, by family
//! * `rows`: chains of operations that are run block by block
//! * `custom_call`: custom calls, by family
//! * `world`: processes in lockstep: meetings, mail, deadlocks
//! * `devices`: modules of several devices, and the run of all of them
//! * `parallel`: `interpreter.run_parallel`, and mail
//! * `host`: what a program sends to its host, and receives
//! * `stack`: threads on which deep programs run
//! * `evaluator`: one operation by itself, for passes that compute ahead
//! * `memory`: what is alive when memory is at its peak
//! * `checks`: StableHLO's `check` dialect, and comparison by ULP

mod checks;
mod custom_call;
pub mod devices;
mod evaluator;
mod frame;
mod fused;
mod host;
pub mod memory;
mod nans;
mod observe;
mod ops;
mod parallel;
mod quantized;
mod region;
mod rows;
mod stack;
pub mod ulp;
mod value;
mod world;

pub(crate) use custom_call::{counter, passes_through};
pub(crate) use evaluator::Evaluator;
pub use host::HostTransfers;
pub use ici::{Grid, ProcessId};
pub use observe::{Observations, Observer};
pub(crate) use stack::on_big_stack;
pub use stack::{on_this_stack, spawn_on_big_stack};
pub use value::Value;
pub use world::Traffic;

use crate::plan::{PlanOptions, Program};
use devices::{Placement, View};
use sim_core::ir::{Module, Op};
use sim_core::{Ctx, Diagnostic, Numerics, Result, Tensor, Type};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use world::Member;

/// How a module is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The function to run; `None` is `@main`, or the only one.
    pub entry: Option<String>,
    pub numerics: Numerics,
    /// Stop at the first operation that makes a NaN or an infinity from finite operands. Turns
    /// fusion off, so that the operation can be named.
    pub check_nans: bool,
    /// Runs every operation as a step of its own. Values are the same but for excess precision.
    pub unfused: bool,
    /// Makes every intermediate value whole: nothing is run in blocks of rows. Values are the same.
    pub whole: bool,
    /// Most trips that all loops of a run may make together: a `while` whose condition never ends
    /// becomes an error.
    pub max_steps: u64,
}

/// [`RunOptions::max_steps`] where nobody says otherwise.
pub const MAX_STEPS: u64 = 1_000_000_000;

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            entry: None,
            numerics: Numerics::default(),
            check_nans: false,
            unfused: false,
            whole: false,
            max_steps: MAX_STEPS,
        }
    }
}

/// Receives what a program prints (`interpreter.print`). Whole values, one call each.
pub type PrintSink = Arc<dyn Fn(&Value, &Type) + Send + Sync>;

/// Steps done so far, for a progress display. Loops make the total unknowable.
#[derive(Debug, Default)]
pub struct Progress {
    steps: AtomicU64,
    current: Mutex<String>,
}

impl Progress {
    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// The operation that runs now; empty before the first.
    pub fn current(&self) -> String {
        self.current.lock().map(|c| c.clone()).unwrap_or_default()
    }

    fn step(&self, name: &str) {
        // The name is for people: a few times a second is enough, and the lock is never waited for.
        if self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(16)
            && let Ok(mut current) = self.current.try_lock()
            && *current != name
        {
            current.clear();
            current.push_str(name);
        }
    }
}

/// A module, planned.
pub struct Executable {
    program: Program,
    placement: Placement,
    options: RunOptions,
    print: Option<PrintSink>,
    progress: Arc<Progress>,
    watch: memory::Watch,
    /// Loop trips of the current run.
    trips: AtomicU64,
    observer: Option<Observer>,
}

impl Executable {
    /// Plans `module`, which must have passed the verifier.
    ///
    /// # Errors
    /// The entry does not exist; recursion.
    pub fn new(module: Arc<Module>, options: RunOptions) -> Result<Executable> {
        let plan = PlanOptions {
            fuse: (!options.check_nans && !options.unfused).then_some(options.numerics),
            rows: !options.whole,
        };
        let program = on_big_stack(|| Program::new(module, options.entry.as_deref(), plan))?;
        let placement = Placement::of(&program)?;
        Ok(Executable {
            program,
            placement,
            options,
            print: None,
            progress: Arc::default(),
            watch: memory::Watch::default(),
            trips: AtomicU64::new(0),
            observer: None,
        })
    }

    /// Watches what control flow does from now on.
    pub fn observe(&mut self) -> Observer {
        self.observer.get_or_insert_default().clone()
    }

    /// Is there nothing in the program that a run would surely refuse, or that a client would wait for in vain? It wants
    /// to hear so when it compiles.
    ///
    /// # Errors
    /// A custom call that is not known; a feed.
    pub fn check_supported(&self) -> Result<()> {
        for op in self.program.functions.iter().flat_map(|f| &f.function.ops) {
            let checked = match &op.op {
                Op::CustomCall(call) => custom_call::check_known(call, op),
                Op::Infeed { .. } | Op::Outfeed { .. } => Err(Diagnostic::unsupported("a client has no feeds here")
                    .help("make what goes in an argument and what comes out a result, or use jax.experimental.io_callback")),
                _ => Ok(()),
            };
            checked.map_err(|e| e.in_op(op.name(), &op.loc).at(op.span))?;
        }
        Ok(())
    }

    /// Sends what the program prints to `sink`.
    pub fn with_print(mut self, sink: PrintSink) -> Self {
        self.print = Some(sink);
        self
    }

    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Argument and result types of the entry.
    pub fn signature(&self) -> (&[Type], &[Type]) {
        let f = &self.program.entry().function;
        (&f.arg_types, &f.result_types)
    }

    /// What was alive when the last run took most memory, whether it ended well or not. `None` if it
    /// had no step.
    pub fn peak_memory(&self) -> Option<memory::PeakMemory> {
        self.watch.peak()
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs the entry. `inputs` are the arguments in order; each is moved, so an input that the
    /// caller keeps no clone of may be computed over in place.
    ///
    /// # Errors
    /// Inputs that do not fit the signature, and whatever goes wrong in the run.
    pub fn run(&self, ctx: &Ctx, inputs: Vec<Tensor>) -> Result<Vec<Value>> {
        self.run_values(ctx, inputs.into_iter().map(Value::Tensor).collect())
    }

    /// As [`Executable::run`], for entries that take tokens or tuples. A program with global shapes may be for
    /// several devices; one that is divided among them runs with [`Executable::run_devices`].
    pub fn run_values(&self, ctx: &Ctx, inputs: Vec<Value>) -> Result<Vec<Value>> {
        let Placement { grid, view, .. } = self.placement;
        if grid.len() == 1 {
            return self.run_one(ctx, inputs, &Outside::default());
        }
        if view == View::PerDevice || grid.replicas > 1 {
            return Err(Diagnostic::invalid(format!(
                "the program is for {}: it takes inputs of each",
                devices::devices_text(grid)
            )));
        }
        Ok(self.run_global(ctx, vec![inputs])?.outputs.pop().unwrap_or_default())
    }

    /// On one device.
    fn run_one(&self, ctx: &Ctx, inputs: Vec<Value>, outside: &Outside<'_>) -> Result<Vec<Value>> {
        self.check_inputs(&inputs)?;
        self.watch.start();
        self.trips.store(0, Ordering::Relaxed);
        on_big_stack(|| Process::new(self, ctx, None, outside).call(self.program.entry(), inputs, 0))
    }

    fn check_inputs(&self, inputs: &[Value]) -> Result<()> {
        let (types, _) = self.signature();
        let name = &self.program.entry().function.name;
        if types.len() != inputs.len() {
            return Err(Diagnostic::invalid(format!(
                "@{name} takes {} inputs, and {} were given",
                types.len(),
                inputs.len()
            )));
        }
        for (i, (ty, value)) in types.iter().zip(inputs).enumerate() {
            let fits = match (ty, value) {
                (Type::Tensor(t), Value::Tensor(v)) => {
                    t.element.byte_size() == v.element().byte_size()
                        && (t.element == v.element() || t.quant.is_some())
                        && t.rank() == v.rank()
                        && t.dims.iter().zip(v.shape()).all(|(d, &n)| d.compatible((n as i64).into()))
                }
                (Type::Token, Value::Token) | (Type::Tuple(_), Value::Tuple(_)) => true,
                _ => false,
            };
            if !fits {
                let given = match value {
                    Value::Tensor(t) => t.ty().to_string(),
                    other => other.kind().to_owned(),
                };
                return Err(Diagnostic::invalid(format!(
                    "input {i} of @{name} is {ty}, and {given} was given"
                )));
            }
        }
        Ok(())
    }
}

/// One simulated device's walk through the program.
struct Process<'a> {
    exe: &'a Executable,
    ctx: Ctx,
    /// Its place among others, in a parallel run.
    member: Option<&'a Member<'a>>,
    outside: &'a Outside<'a>,
    /// By manual region that it is in: the partitions that have the same values there, this one among them.
    peers: Arc<Mutex<Vec<Vec<usize>>>>,
    /// What `rng-get-and-update-state` reads.
    counter: Arc<Mutex<u128>>,
}

/// What the processes of a run share with those who look on.
#[derive(Default)]
struct Outside<'a> {
    probes: Probes,
    host: Option<&'a dyn HostTransfers>,
}

/// What `interpreter.probe` saw, by probe and in order.
type Probes = Mutex<std::collections::HashMap<Arc<str>, Vec<Tensor>>>;

impl<'a> Process<'a> {
    fn new(exe: &'a Executable, ctx: &Ctx, member: Option<&'a Member<'a>>, outside: &'a Outside<'a>) -> Self {
        Process {
            exe,
            ctx: ctx.with_numerics(exe.options.numerics),
            member,
            outside,
            peers: Arc::default(),
            counter: Arc::new(Mutex::new(custom_call::counter::START)),
        }
    }
}
