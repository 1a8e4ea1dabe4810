//! Custom calls, by family: each family says which targets it knows.
//!
//! * `placement`: shardings and memory kinds
//! * `dynamic`: shapes that are operands, and assertions about them
//! * `selection`: the best elements of a dimension
//! * `tpu_linalg`: the factorizations that XLA:TPU knows by name
//! * `lapack`: what JAX calls on CPU and GPU: LAPACK, cuSOLVER, hipSOLVER
//! * `counter`: the state behind HLO's random numbers
//! * `buffers`: memory that nobody has written yet
//! * `device`: GPU kernels of JAX with a mathematical meaning
//!
//! A call is trusted no further than its types: operands are counted and looked at when it runs, and
//! what a family computes is handed out only if it is of the declared types ([`Call::results`]).

mod buffers;
pub(crate) mod counter;
mod device;
mod dynamic;
mod lapack;
mod placement;
mod selection;
#[cfg(test)]
mod tests;
mod tpu_linalg;

use super::ops::Site;
use super::{Process, Value, checks};
use crate::plan::FunctionPlan;
use sim_core::ir::op::CustomCall;
use sim_core::ir::{Attr, AttrDict, Operation, RegionId};
use sim_core::{Ctx, Diagnostic, Result, Tensor, TensorType, Type};

/// Does a call to this target give the values that it takes, on one device?
pub(crate) fn passes_through(target: &str) -> bool {
    placement::knows(target)
}

/// Where values lie: `Some(true)` at the border of a manual region, `Some(false)` if it only says so.
pub(super) fn place_of(target: &str) -> Option<bool> {
    placement::knows(target).then(|| placement::is_border(target))
}

/// May a call to this target be run? What a family knows it says twice, here and where it computes it, so that a program
/// can be refused before it starts.
fn is_known(target: &str) -> bool {
    let listed =
        [dynamic::TARGETS, selection::TARGETS, tpu_linalg::TARGETS, buffers::TARGETS, &[counter::TARGET]];
    target.starts_with("check.")
        || placement::knows(target)
        || listed.iter().any(|list| list.contains(&target))
        || lapack::knows(target)
        || device::knows(target)
}

/// # Errors
/// Unsupported: no family knows the call's target.
pub(super) fn check_known(call: &CustomCall, op: &Operation) -> Result<()> {
    if is_known(&call.target) {
        Ok(())
    } else {
        Err(unknown(&call.target, op.operands.len(), op.results.len()))
    }
}

fn unknown(target: &str, operands: usize, results: usize) -> Diagnostic {
    let error = Diagnostic::unsupported(format!("custom call to \"{target}\", which tpusim does not model"))
        .note(format!("it takes {operands} operands and gives {results} results"));
    match target {
        "tpu_custom_call" => {
            error.help("Pallas kernels are not run yet: use the function that the kernel replaces")
        }
        _ => error.help("express it in StableHLO operations, or leave it out of the module"),
    }
}

/// One call, while it runs.
struct Call<'a> {
    process: &'a Process<'a>,
    site: &'a Site<'a>,
    call: &'a CustomCall,
}

impl Process<'_> {
    pub(super) fn custom_call(
        &self,
        site: &Site<'_>,
        call: &CustomCall,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>> {
        if call.target.starts_with("check.")
            && let Some(results) = checks::custom_call(&call.target, &operands)?
        {
            return Ok(results);
        }
        let c = Call { process: self, site, call };
        let operands = c.without_shapes(operands);
        if placement::knows(&call.target) {
            return placement::call(&c, operands);
        }
        let (count, given) = (operands.len(), site.op.results.len());
        let families = [
            dynamic::call,
            selection::call,
            tpu_linalg::call,
            lapack::call,
            device::call,
            counter::call,
            buffers::call,
        ];
        for family in families {
            // Operands are cheap to clone, and only the family that knows the target reads them.
            if let Some(results) = family(&c, &operands)? {
                debug_assert!(
                    is_known(&call.target),
                    "{} is missing among its family's targets",
                    call.target
                );
                return Ok(results);
            }
        }
        Err(unknown(&call.target, count, given))
    }
}

impl<'a> Call<'a> {
    /// The operands but for the shapes of the results, which exports of JAX with unknown sizes have
    /// among them: what we compute has its shape anyway.
    fn without_shapes(&self, mut operands: Vec<Value>) -> Vec<Value> {
        if let Some(places) = self.attr("indices_of_shape_operands").and_then(|a| a.as_i64s()) {
            let mut at = 0i64..;
            operands.retain(|_| at.next().is_some_and(|i| !places.contains(&i)));
        }
        operands
    }

    fn target(&self) -> &'a str {
        &self.call.target
    }

    fn ctx(&self) -> &'a Ctx {
        &self.process.ctx
    }

    fn invalid(&self, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::invalid(format!("custom call to \"{}\": {what}", self.target()))
    }

    /// The operands, if there are exactly `N` and all are tensors.
    fn tensors<'v, const N: usize>(&self, operands: &'v [Value]) -> Result<[&'v Tensor; N]> {
        let all: Vec<&Tensor> = operands.iter().map(Value::as_tensor).collect::<Result<_>>()?;
        let count = all.len();
        all.try_into()
            .map_err(|_| self.invalid(format_args!("it takes {N} operands, and {count} were given")))
    }

    /// An attribute: of the dictionary in `backend_config` (in either of its places), of
    /// `mhlo.attributes`, or of the call itself.
    fn attr(&self, name: &str) -> Option<&'a Attr> {
        let dict = |a: Option<&'a Attr>| -> Option<&'a AttrDict> {
            match a {
                Some(Attr::Dict(d)) => Some(d),
                _ => None,
            }
        };
        let op = self.site.op;
        [self.call.backend_config.as_ref(), op.attr("mhlo.backend_config"), op.attr("mhlo.attributes")]
            .into_iter()
            .find_map(|place| dict(place)?.get(name))
            .or_else(|| op.attr(name))
    }

    /// A truth value, as itself or as an integer.
    fn flag(&self, name: &str) -> Option<bool> {
        let a = self.attr(name)?;
        a.as_bool().or_else(|| a.as_int().map(|n| n != 0))
    }

    fn int(&self, name: &str) -> Option<i64> {
        self.attr(name)?.as_int()
    }

    /// A letter, given as its code (`86 : ui8` is `V`).
    fn letter(&self, name: &str) -> Option<char> {
        Some(char::from(u8::try_from(self.int(name)?).ok()?))
    }

    /// The text of a `backend_config` that is one.
    fn config_text(&self) -> Option<&'a str> {
        self.call.backend_config.as_ref()?.as_str()
    }

    /// The only called computation, and its body.
    fn computation(&self) -> Result<(&'a FunctionPlan, RegionId)> {
        let [path] = &self.call.called_computations[..] else {
            return Err(self.invalid(format_args!(
                "it calls one computation, and {} are named",
                self.call.called_computations.len()
            )));
        };
        let f = self.process.exe.program.lookup(path)?;
        let body = f.function.body.ok_or_else(|| self.invalid("its computation has no body"))?;
        Ok((f, body))
    }

    /// The declared types of the results; those inside a tuple if that is the only one.
    fn declared(&self) -> Result<Vec<&'a TensorType>> {
        let f = &self.site.f.function;
        let mut types: Vec<&'a Type> = self.site.op.results.iter().map(|&v| f.ty(v)).collect();
        if let [Type::Tuple(inside)] = types[..] {
            types = inside.iter().collect();
        }
        types
            .into_iter()
            .map(|t| {
                t.as_tensor().ok_or_else(|| self.invalid(format_args!("it cannot give a value of type {t}")))
            })
            .collect()
    }

    /// Hands out `values`, in order. Where the call declares more results than there are values, the
    /// others are workspace of the library it was made for, and are zero.
    ///
    /// # Errors
    /// A value is not of the declared type, or has no place.
    fn results(&self, values: Vec<Tensor>) -> Result<Vec<Value>> {
        let declared = self.declared()?;
        let mut spare = declared.len().checked_sub(values.len()).ok_or_else(|| {
            self.invalid(format_args!(
                "it gives {} values, and {} are declared",
                values.len(),
                declared.len()
            ))
        })?;
        let mut values = values.into_iter().peekable();
        let mut out = Vec::with_capacity(declared.len());
        for (i, ty) in declared.into_iter().enumerate() {
            let fits = |t: &Tensor| {
                t.element() == ty.element
                    && t.rank() == ty.rank()
                    && ty.dims.iter().zip(t.shape()).all(|(d, &n)| d.compatible((n as i64).into()))
            };
            if let Some(t) = values.next_if(fits) {
                out.push(Value::Tensor(t));
                continue;
            }
            match (spare, ty.static_dims()) {
                (1.., Some(shape)) => {
                    spare -= 1;
                    out.push(self.ctx().alloc_zeroed(ty.element, &shape)?.into());
                }
                _ => {
                    let given = values.peek().map_or("nothing".to_owned(), |t| t.ty().to_string());
                    return Err(self.invalid(format_args!("result {i} is declared {ty}, and is {given}")));
                }
            }
        }
        let tuple =
            matches!(&self.site.op.results[..], [v] if matches!(self.site.f.function.ty(*v), Type::Tuple(_)));
        Ok(if tuple { vec![Value::Tuple(out)] } else { out })
    }
}
