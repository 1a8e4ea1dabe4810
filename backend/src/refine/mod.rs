//! Shape refinement: a program whose sizes are unknown, and the types of its inputs, in; the program
//! for exactly these inputs out, with static shapes.
//!
//! JAX's symbolic shapes and PyTorch's dynamic dimensions leave `?` in types. Sizes are then computed
//! beside the data: `get_dimension_size`, integer arithmetic, and operations such as
//! `dynamic_reshape` that take a shape as an operand. Once the inputs' shapes are known, all of that
//! can be worked out before anything runs. The entry is rewritten operation by operation:
//!
//! 1. every operation gets the types that its refined operands give it ([`types`]), by the rules that
//!    the verifier uses;
//! 2. small integers whose operands are known are computed at once, by the run time's own kernels
//!    ([`fold`]), which turns sizes into constants;
//! 3. an operation whose shape operand is a constant becomes its static form ([`statics`],
//!    [`custom_call`]), and assertions about shapes are checked;
//! 4. regions are walked with the types of what goes into them; a branch that a known number chooses
//!    takes the place of its `case` or `if` ([`control`]);
//! 5. a function is rewritten once for each list of argument types, and known numbers, that it is
//!    called with ([`functions`]);
//! 6. what nobody needs any more is left out ([`sweep`]).
//!
//! A shape that depends on data stays unknown: such a program runs all the same, since the run time
//! works with shapes as they come. [`Refined::static_module`] is for users who need all of them.

mod bounded;
mod control;
mod custom_call;
mod fold;
mod functions;
mod statics;
mod sweep;
mod types;
mod walk;

use crate::runtime::{Evaluator, on_big_stack};
use functions::Specializer;
use sim_core::ir::symbols::Symbols;
use sim_core::ir::verify::verify_module;
use sim_core::ir::{Function, Module, Op, Operation};
use sim_core::types::Dim;
use sim_core::{Ctx, Diagnostic, Result, Tensor, Type};
use std::sync::Arc;

/// A module for given argument types.
#[derive(Debug)]
pub struct Refined {
    pub module: Module,
    /// The first operation whose result still has no static shape, as an error; `None` if all have.
    pub dynamic: Option<Diagnostic>,
}

impl Refined {
    /// The module, if every shape in it is static.
    ///
    /// # Errors
    /// Unsupported: names the first operation whose shape depends on data.
    pub fn static_module(self) -> Result<Module> {
        match self.dynamic {
            None => Ok(self.module),
            Some(e) => Err(e),
        }
    }
}

/// Does a value anywhere in the module have a size that its type does not tell?
pub fn is_dynamic(module: &Module) -> bool {
    module.functions.iter().any(|f| f.values.iter().any(|v| unknown(&v.ty)))
        || module.modules.iter().any(is_dynamic)
}

/// Is a dimension in it not static?
fn unknown(ty: &Type) -> bool {
    match ty {
        Type::Tensor(t) | Type::Buffer(t) => !t.is_static(),
        Type::Tuple(parts) | Type::Future(parts) => parts.iter().any(unknown),
        _ => false,
    }
}

/// Rewrites `entry` (`None`: the module's own) for arguments of the types `args`, and all that it
/// calls. The functions of the result are in one module, the entry first, under its own name; so are
/// locations and spans of the operations.
///
/// # Errors
/// Invalid: no such entry; types that contradict the declared ones or each other, with the operation
/// where they do. `CheckFailed`: a `shape_assertion` that does not hold, with its message. Resource:
/// a program that grows beyond all measure.
pub fn refine(module: &Module, entry: Option<&str>, args: &[Type], ctx: &Ctx) -> Result<Refined> {
    refine_for(module, entry, args, &vec![None; args.len()], ctx)
}

/// As [`refine`], for arguments whose values are known as well: a size may be an argument. What is large
/// or not of integers is no size, and is not looked at. The entry still takes all its arguments.
///
/// # Errors
/// As [`refine`].
pub fn refine_for(
    module: &Module,
    entry: Option<&str>,
    args: &[Type],
    values: &[Option<Tensor>],
    ctx: &Ctx,
) -> Result<Refined> {
    on_big_stack(|| {
        let symbols = Symbols::new(module)?;
        let target = match entry {
            Some(name) => {
                let path: Vec<Arc<str>> =
                    name.split("::").map(|s| s.trim_start_matches('@').into()).collect();
                module.lookup(&path)
            }
            None => module.entry(),
        };
        let found = target.and_then(|f| {
            symbols.functions().position(|(_, g)| std::ptr::eq(f, g)).map(|number| (number, f))
        });
        let Some((number, function)) = found else {
            return Err(Diagnostic::invalid(match entry {
                Some(name) => format!("there is no function @{name}"),
                None => "it is not clear which function is the entry".to_owned(),
            })
            .help("choose one with --entry NAME"));
        };
        check_arguments(function, args, values)?;
        let mut specializer = Specializer::new(&symbols, Evaluator::new(ctx));
        let sizes: Vec<Option<Tensor>> =
            args.iter().zip(values).map(|(ty, v)| v.clone().filter(|_| fold::is_small(ty))).collect();
        specializer.entry(number, args, &sizes)?;
        let functions = sweep::sweep(specializer.finish());
        let mut attrs = module.attrs.clone();
        attrs.take("jax.uses_shape_polymorphism");
        let module = Module {
            name: module.name.clone(),
            attrs,
            functions,
            modules: Vec::new(),
            meshes: module.meshes.clone(),
            loc: module.loc.clone(),
        };
        verify_module(&module).map_err(|e| e.note("with the shapes of the inputs given"))?;
        let dynamic = first_dynamic(&module.functions);
        Ok(Refined { module, dynamic })
    })
}

fn check_arguments(f: &Function, args: &[Type], values: &[Option<Tensor>]) -> Result<()> {
    if args.len() != f.arg_types.len() || values.len() != args.len() {
        return Err(Diagnostic::invalid(format!(
            "@{} takes {} arguments, and {} types were given",
            f.name,
            f.arg_types.len(),
            args.len()
        )));
    }
    for (i, (given, declared)) in args.iter().zip(&f.arg_types).enumerate() {
        let element = |ty: &Type| ty.as_tensor().map(|t| t.element);
        if element(given) != element(declared) || types::merge(given, declared).is_err() {
            return Err(Diagnostic::invalid(format!(
                "argument {i} of @{} is {declared}, and {given} was given",
                f.name
            ))
            .in_op("func.func", &f.loc));
        }
    }
    Ok(())
}

/// An error for an operation of unknown shape: one that makes it out of known ones, if there is such.
fn first_dynamic(functions: &[Function]) -> Option<Diagnostic> {
    if let Some((f, i)) = functions.iter().find_map(|f| Some((f, f.arg_types.iter().position(unknown)?)))
        && std::ptr::eq(f, &functions[0])
    {
        let message = format!("argument {i} of @{} is {}, which is no static shape", f.name, f.arg_types[i]);
        return Some(Diagnostic::unsupported(message).in_op("func.func", &f.loc));
    }
    let origin = |f: &Function, op: &Operation| {
        !matches!(op.op, Op::Call { .. } | Op::Composite { .. })
            && !op.operands.iter().any(|&v| unknown(f.ty(v)))
    };
    let find = |wanted: &dyn Fn(&Function, &Operation) -> bool| {
        functions.iter().find_map(|f| {
            let made = |op: &&Operation| wanted(f, op) && op.results.iter().any(|&v| unknown(f.ty(v)));
            f.ops.iter().find(made).map(|op| (f, op))
        })
    };
    let (f, op) = find(&origin).or_else(|| find(&|_, _| true))?;
    let ty = op.results.iter().map(|&v| f.ty(v)).find(|ty| unknown(ty))?;
    let e = Diagnostic::unsupported(format!("the shape of its result {ty} depends on data"))
        .in_op(op.name(), &op.loc)
        .help("a static shape is needed here; `tpusim run` computes such programs as they are");
    Some(if op.span == sim_core::Span::default() { e } else { e.at(op.span) })
}

/// As many `?` as there are dimensions, where nothing is known.
fn forget(ty: &Type) -> Type {
    match ty {
        Type::Tensor(t) => {
            let mut t = (**t).clone();
            t.dims.iter_mut().for_each(|d| *d = Dim::Dynamic);
            t.into()
        }
        other => other.clone(),
    }
}
