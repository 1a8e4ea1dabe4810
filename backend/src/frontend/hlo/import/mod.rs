//! [`HloModule`] to [`Module`]: what HLO means, in the operations of [`sim_core::ir`].
//!
//! * Tuples are taken apart: a value of tuple shape is a tree of ir values ([`tree::Tree`]), so `tuple` and
//!   `get-tuple-element` cost nothing, loops carry their elements, and functions take and return leaves.
//! * A computation that is applied to scalars (of a reduction, a sort, …) or called from one place in
//!   control flow becomes a region; one that `call` or `fusion` names becomes a private function.
//! * Asynchronous pairs run at their start: their results are the same.
//! * Layouts decide what a `bitcast` means, and nothing else.
//!
//! Each family of opcodes has a file that says what its members become.

mod asynchronous;
mod attributes;
mod bitcast;
mod body;
mod collective;
mod compute;
mod contraction;
mod control;
mod custom_call;
mod elementwise;
mod groups;
pub mod header;
mod locations;
mod movement;
mod order;
mod permute;
mod ragged;
mod reduction;
mod sharding;
mod tiled;
mod tree;
mod types;

use body::Body;
use locations::Locations;
use rustc_hash::FxHashMap;
use sim_core::hlo::{ComputationId, HloModule, Instruction};
use sim_core::ir::{AttrDict, Function, FunctionBuilder, Mesh, Module, Visibility};
use sim_core::loc::Span;
use sim_core::{Diagnostic, Loc, Result};
use std::sync::Arc;

/// The module in the operations of the IR. Entry parameters and results of tuple shape become one
/// argument or result a leaf, in order.
///
/// # Errors
/// Instructions whose operands, shapes or attributes do not fit, a cycle, or an operation that is not
/// modelled, with its place in the text.
pub fn import(hlo: &HloModule) -> Result<Module> {
    import_with(hlo, Elided::default())
}

/// What becomes of a constant whose values were left out (`constant({...})`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elided {
    /// An error that says how many there are.
    #[default]
    Refuse,
    /// Zeros: enough for whoever does not look at values.
    Zeros,
}

/// As [`import`].
///
/// # Errors
/// As [`import`].
pub fn import_with(hlo: &HloModule, elided: Elided) -> Result<Module> {
    order::no_recursion(hlo)?;
    let mut importer = Importer {
        hlo,
        locations: Locations::new(hlo),
        calls: order::call_sites(hlo),
        functions: FxHashMap::default(),
        pending: Vec::new(),
        entry: header::entry_name(hlo),
        meshes: header::meshes(hlo),
        elided,
    };
    let mut module = Module { name: Some(hlo.name.clone()), attrs: header::attrs(hlo), ..Module::default() };
    importer.function(hlo.entry);
    while let Some(id) = importer.pending.pop() {
        module.functions.push(importer.build(id)?);
    }
    module.meshes = importer.meshes;
    Ok(module)
}

struct Importer<'a> {
    hlo: &'a HloModule,
    locations: Locations<'a>,
    /// How often each computation is called.
    calls: Vec<u32>,
    /// The symbols of the computations that are functions.
    functions: FxHashMap<ComputationId, Arc<[Arc<str>]>>,
    /// Of these, the ones to be built.
    pending: Vec<ComputationId>,
    /// The name of the entry function.
    entry: Arc<str>,
    /// Those that the header names, and those that groups of devices follow.
    meshes: Vec<Mesh>,
    elided: Elided,
}

impl Importer<'_> {
    /// The symbol of a computation as a function.
    fn function(&mut self, id: ComputationId) -> Arc<[Arc<str>]> {
        if let Some(symbol) = self.functions.get(&id) {
            return symbol.clone();
        }
        let name =
            if id == self.hlo.entry { self.entry.clone() } else { self.hlo.computation(id).name.clone() };
        let symbol: Arc<[Arc<str>]> = [name].into();
        self.functions.insert(id, symbol.clone());
        self.pending.push(id);
        symbol
    }

    fn build(&mut self, id: ComputationId) -> Result<Function> {
        let computation = self.hlo.computation(id);
        let name = if id == self.hlo.entry { self.entry.clone() } else { computation.name.clone() };
        let mut builder = FunctionBuilder::new(name);
        let shapes = body::parameter_shapes(computation)?;
        let mut types = Vec::new();
        for shape in &shapes {
            types::leaves(shape, &mut types).map_err(|e| e.at(computation.span))?;
        }
        let arguments = builder.open_body(&types);
        let mut body = Body::new(self, &mut builder, computation, 0);
        body.bind_parameters(&shapes, &arguments)?;
        let results = body.instructions()?;
        builder.close_region(&results, Loc::Unknown, AttrDict::new());
        let mut function = builder.finish();
        function.visibility = if id == self.hlo.entry { Visibility::Public } else { Visibility::Private };
        function.span = computation.span;
        if id == self.hlo.entry {
            sharding::of_entry(self.hlo, &self.meshes, &mut function)?;
            locations::name_parameters(computation, &mut function)?;
            header::of_entry(self.hlo, &mut function);
        }
        Ok(function)
    }
}

/// About an instruction, at its place.
fn invalid(i: &Instruction, what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::invalid(format!("`{}`: {what}", i.name)).in_op(&i.written_name(), &Loc::Unknown).at(i.span)
}

/// What is right, and not modelled.
fn unsupported(i: &Instruction, what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::unsupported(what.to_string()).in_op(&i.written_name(), &Loc::Unknown).at(i.span)
}

/// Where a text of no interest stands.
const NOWHERE: Span = Span { start: 0, end: 0 };
