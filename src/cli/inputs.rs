//! Inputs of a run: from a file, drawn at random, or zeros; each checked against the signature. Of
//! an export of PyTorch, weights come from its folder and only the rest from the command line.

use super::complain;
use super::program::Binding;
use super::shapes::Shapes;
use crate::values::random;
use backend::frontend::torch::Origin;
use backend::npy::{Archive, Header};
use backend::runtime::Value;
use sim_core::ir::Function;
use sim_core::types::TensorType;
use sim_core::{Ctx, Diagnostic, Dim, Result, Tensor, Type};
use std::fmt::Write as _;
use std::path::Path;

/// Where inputs come from.
pub enum Inputs<'a> {
    File(&'a Path),
    /// The arrays of a file whose names begin so.
    Part(&'a Path, &'a str),
    Random(u64),
    Zeros,
    /// What a snapshot recorded, by partition: the leaves, in order.
    Recorded(Vec<Vec<Tensor>>),
    /// Nothing was said.
    None,
}

/// The name of each parameter: what its location calls it (JAX writes the Python argument there),
/// else `arg0`, `arg1`, ….
pub fn parameter_names(function: &Function, binding: Option<&Binding>) -> Vec<String> {
    (0..function.arg_types.len())
        .map(|i| match binding {
            Some(b) => b.parameters[i].name.clone(),
            None => given_name(function, i).unwrap_or_else(|| format!("arg{i}")),
        })
        .collect()
}

fn given_name(function: &Function, i: usize) -> Option<String> {
    let arg = *function.region(function.body?).args.get(i)?;
    function.value(arg).loc.name().map(|name| name.to_string())
}

/// A parameter that is a tensor.
struct Parameter<'f> {
    /// Its place in the signature.
    index: usize,
    /// Its place among what the user gives; `None` if its value is in the export's folder.
    position: Option<usize>,
    name: String,
    ty: &'f TensorType,
}

/// The value of one parameter, before it is read or made.
enum Pending {
    /// Of the file of inputs.
    Array(usize),
    /// Of a file by itself.
    Weight(Archive),
    Random(u64),
    Zeros,
    Given(Tensor),
}

/// All arguments of a run: their types are known, their values still to be read.
pub struct Arguments<'f> {
    function: &'f Function,
    parameters: Vec<Parameter<'f>>,
    pending: Vec<Pending>,
    shapes: Vec<Vec<usize>>,
    file: Option<Archive>,
}

impl<'f> Arguments<'f> {
    /// Finds where the value of each parameter comes from. Tokens need none.
    ///
    /// # Errors
    /// Invalid, with both sides, when the inputs do not fit; what reading the file gives.
    pub fn find(
        function: &'f Function,
        binding: Option<&Binding>,
        inputs: &Inputs<'_>,
        sizes: &Shapes,
    ) -> Result<Arguments<'f>> {
        let parameters = parameters(function, binding)?;
        let wanted: Vec<&Parameter> = parameters.iter().filter(|p| p.position.is_some()).collect();
        if matches!(inputs, Inputs::None) && !wanted.is_empty() {
            return Err(Diagnostic::invalid(format!(
                "@{} takes {} and no inputs were given",
                function.name,
                count(wanted.len(), "parameter")
            ))
            .note(signature(function, &parameters))
            .help("--inputs FILE.npz gives them; --random SEED draws them; --zeros makes them zero"));
        }
        let mut file = None;
        let mut places = Vec::new().into_iter();
        if let Inputs::File(path) | Inputs::Part(path, _) = inputs {
            let mut archive = Archive::open(path)?;
            if let Inputs::Part(_, prefix) = inputs {
                archive.keep(prefix);
            }
            places = assigned(function, binding, &parameters, path, &archive)?.into_iter();
            file = Some(archive);
        }
        let recorded = match inputs {
            Inputs::Recorded(partitions) => recorded_fit(function, &parameters, partitions)?,
            _ => &[],
        };
        let mut pending = Vec::new();
        let mut shapes = Vec::new();
        for (n, p) in parameters.iter().enumerate() {
            let origin = binding.map(|b| &b.parameters[p.index].origin);
            let (next, shape) = match (origin, inputs) {
                (Some(Origin::File(path)), _) => {
                    let archive = Archive::open(path)?;
                    let shape = weight_shape(function, p, path, &archive)?;
                    (Pending::Weight(archive), shape)
                }
                (_, Inputs::Recorded(_)) => match recorded.get(n) {
                    Some(tensor) => (Pending::Given(tensor.clone()), tensor.shape().to_vec()),
                    None => (Pending::Zeros, static_shape(function, p, sizes)?),
                },
                (_, Inputs::Random(seed)) => (Pending::Random(*seed), static_shape(function, p, sizes)?),
                (_, Inputs::File(_) | Inputs::Part(..)) => {
                    let entry = places.next().unwrap_or_default();
                    let header = file.as_ref().map(|f| f.entries()[entry].header.shape.clone());
                    (Pending::Array(entry), header.unwrap_or_default())
                }
                _ => (Pending::Zeros, static_shape(function, p, sizes)?),
            };
            pending.push(next);
            shapes.push(shape);
        }
        Ok(Arguments { function, parameters, pending, shapes, file })
    }

    /// The types of all arguments, in order, with the sizes of the inputs.
    pub fn types(&self) -> Vec<Type> {
        let mut types = self.function.arg_types.clone();
        for (p, shape) in self.parameters.iter().zip(&self.shapes) {
            let mut ty = p.ty.clone();
            for (d, &n) in ty.dims.iter_mut().zip(shape) {
                *d = Dim::Static(n as i64);
            }
            types[p.index] = ty.into();
        }
        types
    }

    /// The arguments, in order.
    ///
    /// # Errors
    /// What reading the files gives; resource, when the memory budget is exceeded.
    pub fn values(mut self, ctx: &Ctx) -> Result<Vec<Value>> {
        let mut values = vec![Value::Token; self.function.arg_types.len()];
        for ((p, pending), shape) in self.parameters.iter().zip(self.pending).zip(&self.shapes) {
            let element = p.ty.element;
            let tensor: Tensor = match pending {
                Pending::Array(entry) => match &mut self.file {
                    Some(file) => file.read(entry, element, ctx)?,
                    None => ctx.alloc_zeroed(element, shape)?,
                },
                Pending::Weight(mut archive) => archive.read(0, element, ctx)?,
                Pending::Random(seed) => random::tensor(p.ty, shape, seed, p.index, ctx)?,
                Pending::Given(tensor) => tensor,
                Pending::Zeros => ctx.alloc_zeroed(element, shape)?,
            };
            values[p.index] = Value::Tensor(tensor);
        }
        Ok(values)
    }
}

fn parameters<'f>(function: &'f Function, binding: Option<&Binding>) -> Result<Vec<Parameter<'f>>> {
    let names = parameter_names(function, binding);
    let mut out = Vec::new();
    for (index, (ty, name)) in function.arg_types.iter().zip(names).enumerate() {
        let position = match binding.map(|b| &b.parameters[index].origin) {
            None => Some(index),
            Some(Origin::Argument(n)) => Some(*n),
            Some(Origin::File(_)) => None,
        };
        match ty {
            Type::Tensor(ty) => out.push(Parameter { index, position, name, ty }),
            Type::Token => {}
            other => {
                return Err(Diagnostic::unsupported(format!(
                    "parameter {index} of @{} is of type {other}, and only tensors can be given on the command line",
                    function.name
                ))
                .help("wrap the function in one that takes tensors"));
            }
        }
    }
    Ok(out)
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The shape that the type has, or that the command line says.
fn static_shape(function: &Function, p: &Parameter, sizes: &Shapes) -> Result<Vec<usize>> {
    if let Some(shape) = sizes.of(&p.name, p.position) {
        return Ok(shape.to_vec());
    }
    p.ty.static_dims().map(|dims| dims.to_vec()).ok_or_else(|| {
        let example = p.ty.dims.iter().map(|d| d.as_static().unwrap_or(8).to_string()).collect::<Vec<_>>();
        Diagnostic::invalid(format!(
            "parameter {} of @{} is {}, whose size only an input can tell",
            p.index, function.name, p.ty
        ))
        .help(format!(
            "say a size, such as --shape {}={}, or give the inputs with --inputs FILE.npz",
            p.name,
            example.join("x")
        ))
    })
}

/// What the user gives, one parameter a line.
fn signature(function: &Function, parameters: &[Parameter]) -> String {
    let mut out = format!("@{} takes:", function.name);
    for p in parameters.iter().filter(|p| p.position.is_some()) {
        let _ = write!(out, "\n  {}: {}", p.name, p.ty);
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

fn fits(ty: &TensorType, header: &Header) -> bool {
    header.shape.len() == ty.rank()
        && ty.dims.iter().zip(&header.shape).all(|(d, &n)| d.compatible(Dim::Static(n as i64)))
        && header.descr.holds(ty.element)
}

/// Are these the parameters, one by one?
fn recorded_fit<'v>(
    function: &Function,
    parameters: &[Parameter],
    partitions: &'v [Vec<Tensor>],
) -> Result<&'v [Tensor]> {
    let [values] = partitions else {
        return Err(Diagnostic::unsupported(format!(
            "the snapshot has the arguments of {} partitions, and @{} is not for as many devices",
            partitions.len(),
            function.name
        ))
        .help("--inputs FILE.npz, --random SEED or --zeros give others"));
    };
    let misfit = |what: String| {
        Err(Diagnostic::invalid(format!("the snapshot's arguments do not fit @{}: {what}", function.name))
            .note(signature(function, parameters)))
    };
    if values.len() != parameters.len() {
        return misfit(format!(
            "it takes {}, the snapshot has {}",
            count(parameters.len(), "parameter"),
            values.len()
        ));
    }
    for (p, value) in parameters.iter().zip(values) {
        let dims = p.ty.dims.iter().zip(value.shape());
        let fits = p.ty.element == value.element()
            && p.ty.rank() == value.rank()
            && dims.into_iter().all(|(d, &n)| d.compatible(Dim::Static(n as i64)));
        if !fits {
            return misfit(format!("{} is {}, the snapshot has {}", p.name, p.ty, value.ty()));
        }
    }
    Ok(values)
}

/// Which array of the file is which parameter: by the parameter's own name, by `arg0`, `in0` or
/// `arr_0` (the names of StableHLO, of JAX's export tests and of `numpy.savez`), and where not all
/// are found so, by position if there are as many arrays as parameters (or as arguments of the Python
/// function, if some are not used).
fn assigned(
    function: &Function,
    binding: Option<&Binding>,
    parameters: &[Parameter],
    path: &Path,
    archive: &Archive,
) -> Result<Vec<usize>> {
    let wanted: Vec<(&Parameter, usize)> =
        parameters.iter().filter_map(|p| p.position.map(|position| (p, position))).collect();
    let find = |name: &str| archive.entries().iter().position(|e| e.name == name);
    let by_name: Option<Vec<usize>> = wanted
        .iter()
        .map(|(p, n)| {
            find(&p.name).or_else(|| ["arg", "in", "arr_"].iter().find_map(|s| find(&format!("{s}{n}"))))
        })
        .collect();
    let by_place = || {
        let given = archive.entries().len();
        if given == wanted.len() {
            let mut order: Vec<usize> = wanted.iter().map(|(_, n)| *n).collect();
            order.sort_unstable();
            return wanted.iter().map(|(_, n)| order.binary_search(n).ok()).collect();
        }
        binding.filter(|b| b.arguments == given).map(|_| wanted.iter().map(|(_, n)| *n).collect())
    };
    let misfit = |what: String| {
        Diagnostic::invalid(what).note(signature(function, parameters)).note(contents(path, archive))
    };
    let by_order =
        by_name.is_none() && wanted.len() > 1 && archive.entries().iter().all(|e| !is_numbered(&e.name));
    let Some(places): Option<Vec<usize>> = by_name.or_else(by_place) else {
        return Err(misfit(format!(
            "the inputs do not fit @{}: it takes {}, the file has {}",
            function.name,
            count(wanted.len(), "parameter"),
            count(archive.entries().len(), "array")
        ))
        .help("name the arrays after the parameters, or arg0, arg1, …, or give exactly as many"));
    };
    for ((p, _), &entry) in wanted.iter().zip(&places) {
        let header = &archive.entries()[entry].header;
        if !fits(p.ty, header) {
            return Err(misfit(format!(
                "the inputs do not fit @{}: {} is {}, the file has {header}",
                function.name, p.name, p.ty
            )));
        }
    }
    if by_order {
        let names: Vec<&str> = wanted.iter().map(|(p, _)| p.name.as_str()).collect();
        complain(format_args!(
            "note: the names in {} are not those of the parameters ({}); its arrays are taken in their order",
            path.display(),
            names.join(", ")
        ));
    }
    Ok(places)
}

/// Does the name say which parameter the array is, or nothing at all?
fn is_numbered(name: &str) -> bool {
    let number =
        ["arg", "in", "arr_", "out"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    number.bytes().all(|b| b.is_ascii_digit())
}

/// The shape of the one array in a file of the export's folder.
fn weight_shape(function: &Function, p: &Parameter, path: &Path, archive: &Archive) -> Result<Vec<usize>> {
    match archive.entries() {
        [entry] if fits(p.ty, &entry.header) => Ok(entry.header.shape.clone()),
        [entry] => Err(Diagnostic::invalid(format!(
            "{} does not fit @{}: {} is {}, the file has {}",
            path.display(),
            function.name,
            p.name,
            p.ty,
            entry.header
        ))),
        entries => Err(Diagnostic::invalid(format!(
            "{} holds {}, and one was expected",
            path.display(),
            count(entries.len(), "array")
        ))),
    }
}
