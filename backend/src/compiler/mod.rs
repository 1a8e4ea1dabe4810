//! From a program as people write it to what XLA:TPU would run on a described chip.
//!
//! ```text
//!  HloModule, of StableHLO or unoptimized HLO
//!    ─> inline ─> ragged ─> dots ─> flat ─> indexed ─> sorts ─> simplify ─> loops ─> cse   the same program, as operations that XLA:TPU has kernels for
//!    ─> layout ─> host                                                             orders of dimensions, tiles
//!    ─> fuse ─> floats                                                             kernels
//!    ─> copies ─> offload ─> schedule                                              memory of their own; SparseCores; the order
//!    ─> place ─> alias ─> windows                                                  VMEM; work in place; tile grids
//! ```
//!
//! The result is of the same kind as the dumps of XLA:TPU: fusions are kernels, the order of the instructions is the schedule, layouts
//! have tiles and memory spaces. So everything that takes a dump takes it: [`crate::time`] times it, the runtime runs it, the HLO
//! frontend reads its text back. Each pass is a file, takes a module that is valid HLO and leaves one; `backend/tests/compiler` shows
//! what each does.
//!
//! **Invariant:** values do not change. What a compiled program computes is what its source computes, up to the rounding that its
//! numerics allow.

mod alias;
mod build;
mod copies;
mod cse;
mod dots;
mod flat;
mod floats;
mod fuse;
pub mod graph;
mod host;
mod indexed;
mod inline;
mod layout;
mod loops;
mod place;
mod ragged;
mod schedule;
mod simplify;
mod sorts;
pub mod windows;

use graph::Names;
use sim_core::chip::Chip;
use sim_core::hlo::{HloModule, Key, Value};
use sim_core::{Diagnostic, ErrorKind, Result};

/// What passes work on.
pub struct Cx<'a> {
    pub module: HloModule,
    pub chip: &'a Chip,
    pub names: Names,
    /// Windows that were chosen for this chip.
    known: windows::Known,
}

/// One step of the compiler.
pub struct Pass {
    /// As `--print-after` takes it.
    pub name: &'static str,
    /// What it does, in one line.
    pub what: &'static str,
    run: fn(&mut Cx<'_>) -> Result<()>,
}

/// All of them, in order.
pub const PASSES: &[Pass] = &[
    Pass { name: "inline", what: "calls become what they call", run: inline::run },
    Pass { name: "ragged", what: "products of groups of rows", run: ragged::run },
    Pass { name: "dots", what: "products that the matrix units do not take", run: dots::run },
    Pass { name: "flat", what: "products whose columns have several dimensions", run: flat::run },
    Pass { name: "indexed", what: "gathers and scatters by a vector of places", run: indexed::run },
    Pass { name: "sorts", what: "the places of what is sorted", run: sorts::run },
    Pass {
        name: "simplify",
        what: "operations that change nothing, or are simpler otherwise",
        run: simplify::run,
    },
    Pass { name: "loops", what: "what loops carry, and what they do not have to do", run: loops::run },
    Pass { name: "cse", what: "equal instructions become one", run: cse::run },
    Pass {
        name: "layout",
        what: "the order of dimensions in memory, tiles, copies where they differ",
        run: layout::run,
    },
    Pass { name: "host", what: "copies from and to the host's memory", run: host::run },
    Pass { name: "fuse", what: "what one kernel computes", run: fuse::run },
    Pass { name: "floats", what: "bf16 in the vector unit, where that has none", run: floats::run },
    Pass { name: "copies", what: "results and updates that need memory of their own", run: copies::run },
    Pass { name: "offload", what: "what SparseCores do", run: indexed::offload },
    Pass { name: "schedule", what: "the order of the kernels", run: schedule::run },
    Pass { name: "place", what: "what lies in VMEM, and what is fetched into it", run: place::run },
    Pass { name: "alias", what: "what works in place", run: alias::run },
    Pass {
        name: "windows",
        what: "tile grids of products, by what they cost",
        run: |cx| windows::choose_knowing(&mut cx.module, cx.chip, &mut cx.known),
    },
];

/// The pass of that name.
pub fn pass(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|p| p.name == name)
}

/// Compiles `module` for a device of `chip`. `seen` gets the module after each pass.
///
/// # Errors
/// Kind `Unsupported`: it has dimensions whose sizes are open, or nests too deep. Kind `Invalid`: it is no valid HLO.
pub fn compile(
    module: HloModule,
    chip: &Chip,
    seen: &mut (dyn FnMut(&Pass, &HloModule) + Send),
) -> Result<HloModule> {
    crate::runtime::on_big_stack(|| {
        let names = Names::of(&module);
        let mut cx = Cx { module, chip, names, known: windows::Known::default() };
        for pass in PASSES {
            (pass.run)(&mut cx)?;
            if !graph::is_in_order(&cx.module) {
                // Never seen; what comes next would run into it.
                return Err(Diagnostic::new(
                    ErrorKind::Internal,
                    format!("pass {} left instructions that wait for each other", pass.name),
                )
                .help("this is a bug in tpusim: please report it, together with the program"));
            }
            seen(pass, &cx.module);
        }
        Ok(cx.module)
    })
}

/// Says that the order of its instructions is the order of execution.
fn scheduled(module: &mut HloModule) {
    module.attrs.retain(|a| a.key != Key::IsScheduled);
    module.attrs.insert(0, sim_core::hlo::Attr { key: Key::IsScheduled, value: Value::Bool(true) });
}
