//! Inputs of a run: from a file, drawn at random, or zeros; each checked against the signature.

use crate::values::random;
use backend::npy::Archive;
use backend::runtime::Value;
use sim_core::ir::Function;
use sim_core::types::TensorType;
use sim_core::{Ctx, Diagnostic, Dim, Result, Tensor, Type};
use std::fmt::Write as _;
use std::path::Path;

/// Where inputs come from.
pub enum Inputs<'a> {
    File(&'a Path),
    Random(u64),
    Zeros,
    /// Nothing was said.
    None,
}

/// The name of each parameter: what its location calls it (JAX writes the Python argument there),
/// else `arg0`, `arg1`, ….
pub fn parameter_names(function: &Function) -> Vec<String> {
    (0..function.arg_types.len())
        .map(|i| given_name(function, i).unwrap_or_else(|| format!("arg{i}")))
        .collect()
}

fn given_name(function: &Function, i: usize) -> Option<String> {
    let arg = *function.region(function.body?).args.get(i)?;
    function.value(arg).loc.name().map(|name| name.to_string())
}

/// The arguments of `function`, in order. Tokens need no input.
///
/// # Errors
/// Invalid, with both sides, when the inputs do not fit; what reading the file gives.
pub fn gather(function: &Function, inputs: &Inputs<'_>, ctx: &Ctx) -> Result<Vec<Value>> {
    let mut tensors = Vec::new();
    for (i, ty) in function.arg_types.iter().enumerate() {
        match ty {
            Type::Tensor(t) => tensors.push((i, &**t)),
            Type::Token => {}
            other => {
                return Err(Diagnostic::unsupported(format!(
                    "parameter {i} of @{} is of type {other}, and only tensors can be given on the command line",
                    function.name
                ))
                .help("wrap the function in one that takes tensors"));
            }
        }
    }
    let values = match inputs {
        Inputs::File(path) => from_file(function, &tensors, path, ctx)?,
        Inputs::Random(seed) => tensors
            .iter()
            .map(|&(i, ty)| random::tensor(ty, &static_shape(function, i, ty)?, *seed, i, ctx))
            .collect::<Result<_>>()?,
        Inputs::Zeros => tensors
            .iter()
            .map(|&(i, ty)| ctx.alloc_zeroed(ty.element, &static_shape(function, i, ty)?))
            .collect::<Result<_>>()?,
        Inputs::None if tensors.is_empty() => Vec::new(),
        Inputs::None => {
            return Err(Diagnostic::invalid(format!(
                "@{} takes {} and no inputs were given",
                function.name,
                count(tensors.len(), "parameter")
            ))
            .note(signature(function, &tensors))
            .help("--inputs FILE.npz gives them; --random SEED draws them; --zeros makes them zero"));
        }
    };
    let mut values = values.into_iter();
    Ok(function
        .arg_types
        .iter()
        .filter_map(
            |ty| if *ty == Type::Token { Some(Value::Token) } else { values.next().map(Value::Tensor) },
        )
        .collect())
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn static_shape(function: &Function, i: usize, ty: &TensorType) -> Result<Vec<usize>> {
    ty.static_dims().map(|dims| dims.to_vec()).ok_or_else(|| {
        Diagnostic::invalid(format!(
            "parameter {i} of @{} is {ty}, whose size only an input can tell",
            function.name
        ))
        .help("give the inputs with --inputs FILE.npz")
    })
}

/// One parameter a line.
fn signature(function: &Function, tensors: &[(usize, &TensorType)]) -> String {
    let names = parameter_names(function);
    let mut out = format!("@{} takes:", function.name);
    for (i, ty) in tensors {
        let _ = write!(out, "\n  {}: {ty}", names[*i]);
    }
    out
}

fn contents(path: &Path, archive: &Archive) -> String {
    let mut out = format!("{} has:", path.display());
    for entry in archive.entries() {
        let _ = match entry.name.as_str() {
            "" => write!(out, "\n  {}", entry.header),
            name => write!(out, "\n  {name}: {}", entry.header),
        };
    }
    if archive.entries().is_empty() {
        out.push_str(" no arrays");
    }
    out
}

/// Which array of the file is which parameter: by the parameter's own name, by `arg0`, `in0` or
/// `arr_0` (the names of StableHLO, of JAX's export tests and of `numpy.savez`), and where not all
/// are found so, by position if there are as many arrays as parameters.
fn assign(function: &Function, tensors: &[(usize, &TensorType)], archive: &Archive) -> Option<Vec<usize>> {
    let find = |name: &str| archive.entries().iter().position(|e| e.name == name);
    let by_name: Option<Vec<usize>> = tensors
        .iter()
        .map(|&(i, _)| {
            given_name(function, i)
                .and_then(|name| find(&name))
                .or_else(|| ["arg", "in", "arr_"].iter().find_map(|prefix| find(&format!("{prefix}{i}"))))
        })
        .collect();
    by_name.or_else(|| (archive.entries().len() == tensors.len()).then(|| (0..tensors.len()).collect()))
}

fn from_file(
    function: &Function,
    tensors: &[(usize, &TensorType)],
    path: &Path,
    ctx: &Ctx,
) -> Result<Vec<Tensor>> {
    let mut archive = Archive::open(path)?;
    let misfit = |what: String, archive: &Archive| {
        Diagnostic::invalid(what).note(signature(function, tensors)).note(contents(path, archive))
    };
    let Some(assigned) = assign(function, tensors, &archive) else {
        return Err(misfit(
            format!(
                "the inputs do not fit @{}: it takes {}, the file has {}",
                function.name,
                count(tensors.len(), "parameter"),
                count(archive.entries().len(), "array")
            ),
            &archive,
        )
        .help("name the arrays after the parameters, or arg0, arg1, …, or give exactly as many"));
    };
    let mut out = Vec::with_capacity(tensors.len());
    for (&(i, ty), entry) in tensors.iter().zip(assigned) {
        let header = &archive.entries()[entry].header;
        let shape_fits = header.shape.len() == ty.rank()
            && ty.dims.iter().zip(&header.shape).all(|(d, &n)| d.compatible(Dim::Static(n as i64)));
        if !shape_fits || !header.descr.holds(ty.element) {
            let name = &parameter_names(function)[i];
            return Err(misfit(
                format!("the inputs do not fit @{}: {name} is {ty}, the file has {header}", function.name),
                &archive,
            ));
        }
        out.push(archive.read(entry, ty.element, ctx)?);
    }
    Ok(out)
}
