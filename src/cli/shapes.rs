//! Sizes that the command line says, for programs whose types leave them open; and the program for
//! them.

use super::Failure;
use super::inputs::{Arguments, Inputs, parameter_names};
use super::inspect::entry as find_entry;
use super::program::{Binding, Program};
use backend::refine;
use sim_core::ir::{Function, Module};
use sim_core::{Ctx, Diagnostic, Numerics, Result};

/// Sizes of parameters.
#[derive(clap::Args, Clone, Default)]
pub struct Shapes {
    /// The size of a parameter whose type leaves it open: by name or number, such as x=4x8 or 0=4x8
    #[arg(long = "shape", value_name = "NAME=SIZES", value_parser = parse)]
    shapes: Vec<Shape>,
}

/// Sizes, and that the program for them is wanted.
#[derive(clap::Args, Clone, Default)]
pub struct Refine {
    /// Make all shapes static: those of the parameters are in their types, or given by --shape (which
    /// says --refine too)
    #[arg(long)]
    refine: bool,
    #[command(flatten)]
    shapes: Shapes,
}

/// One size.
#[derive(Clone, Debug, PartialEq)]
struct Shape {
    name: String,
    sizes: Vec<usize>,
}

/// `x=4x8`, `0=16`; `x=` is a scalar.
fn parse(text: &str) -> std::result::Result<Shape, String> {
    let expected = || "expected a parameter and its sizes, such as x=4x8".to_owned();
    let (name, sizes) = text.rsplit_once('=').ok_or_else(expected)?;
    let sizes: Option<Vec<usize>> = match sizes.trim() {
        "" => Some(Vec::new()),
        // Sizes are `i64` in MLIR.
        sizes => sizes.split(['x', ',']).map(|n| n.trim().parse::<i64>().ok()?.try_into().ok()).collect(),
    };
    match (name.trim(), sizes) {
        ("", _) | (_, None) => Err(expected()),
        (name, Some(sizes)) => Ok(Shape { name: name.to_owned(), sizes }),
    }
}

impl Shapes {
    /// Was nothing said?
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// What was said of a parameter.
    pub fn of(&self, name: &str, position: Option<usize>) -> Option<&[usize]> {
        let number = position.map(|n| n.to_string());
        let numbered = position.map(|n| format!("arg{n}"));
        let is = |s: &&Shape| {
            s.name == name || Some(&s.name) == number.as_ref() || Some(&s.name) == numbered.as_ref()
        };
        self.shapes.iter().find(is).map(|s| &s.sizes[..])
    }

    /// # Errors
    /// Invalid: a size for a parameter that does not exist, or that its type does not allow.
    pub fn check(&self, function: &Function, binding: Option<&Binding>) -> Result<()> {
        let names = parameter_names(function, binding);
        for shape in &self.shapes {
            let at = names.iter().enumerate().position(|(i, name)| {
                let n = binding.map_or(Some(i), |b| b.parameters[i].argument());
                let only = Shapes { shapes: vec![shape.clone()] };
                only.of(name, n).is_some()
            });
            let Some(at) = at else {
                return Err(Diagnostic::invalid(format!(
                    "--shape {}: @{} has no such parameter",
                    shape.name, function.name
                ))
                .note(format!("its parameters: {}", names.join(", "))));
            };
            let ty = &function.arg_types[at];
            let fits = ty.as_tensor().is_some_and(|t| {
                t.rank() == shape.sizes.len()
                    && t.dims.iter().zip(&shape.sizes).all(|(d, &n)| d.compatible((n as i64).into()))
            });
            if !fits {
                return Err(Diagnostic::invalid(format!(
                    "--shape {}: {} is {ty}, which cannot be of shape {:?}",
                    shape.name, names[at], shape.sizes
                )));
            }
        }
        Ok(())
    }
}

/// Puts the programs for the given shapes in the place of those that were read, if that is wanted.
///
/// # Errors
/// Sizes that were not said or do not fit; what [`refine::refine`] says; unsupported, where a shape
/// depends on data.
pub fn refine_all(program: &mut Program, entry: Option<&str>, args: &Refine) -> Result<(), Failure> {
    if !args.refine && args.shapes.shapes.is_empty() {
        return Ok(());
    }
    let failure = Failure::in_source(&program.source);
    let refined: Result<Vec<Module>> =
        program.modules.iter().map(|m| static_module(program, m, entry, &args.shapes)).collect();
    program.modules = refined.map_err(failure)?;
    Ok(())
}

fn static_module(program: &Program, module: &Module, entry: Option<&str>, shapes: &Shapes) -> Result<Module> {
    let function = find_entry(module, entry)?;
    let binding = program.binding_of(module, function);
    shapes.check(function, binding)?;
    let types = Arguments::find(function, binding, &Inputs::Zeros, shapes)?.types();
    // Shapes are integers, which are the same in all numerics.
    let ctx = Ctx::new(Numerics::ieee(), u64::MAX);
    refine::refine(module, Some(&function.name), &types, &ctx)?.static_module()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let shape = |name: &str, sizes: &[usize]| Ok(Shape { name: name.to_owned(), sizes: sizes.to_vec() });
        assert_eq!(parse("x=4x8"), shape("x", &[4, 8]));
        assert_eq!(parse("0=4,8"), shape("0", &[4, 8]));
        assert_eq!(parse("args[0]=16"), shape("args[0]", &[16]));
        assert_eq!(parse("s="), shape("s", &[]));
        assert!(parse("x").is_err());
        assert!(parse("=4").is_err());
        assert!(parse("x=4x").is_err());
        assert!(parse("x=-1").is_err());
        assert!(parse("x=9223372036854775807").is_ok());
        assert!(parse("x=9223372036854775808").is_err());
    }
}
