//! What a rule sees of an operation, and the words in which it complains.

use crate::diag::{Diagnostic, Result};
use crate::dtype::{Class, ElementType};
use crate::ir::op::Op;
use crate::ir::symbols::Scope;
use crate::types::{TensorType, Type};
use smallvec::{SmallVec, smallvec};

/// The types a region takes and returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionSig {
    pub args: Vec<Type>,
    pub results: Vec<Type>,
}

/// An operation with the types around it.
pub struct Sig<'a> {
    pub op: &'a Op,
    pub operands: &'a [Type],
    pub regions: &'a [RegionSig],
    /// The declared result types, where the operation already stands in a program.
    pub results: Option<&'a [Type]>,
    /// The functions and meshes that symbols name; without it, symbols are not checked.
    pub scope: Option<Scope<'a>>,
    /// The value of an integer operand that is a constant (short ones only: shapes and the like).
    pub constant: &'a dyn Fn(usize) -> Option<Vec<i64>>,
}

/// Operands of a variadic operation.
pub(super) type Tensors<'a> = SmallVec<[&'a TensorType; 4]>;

/// What a rule says about the result types.
pub enum Inferred {
    /// Determined, by this rule of the specification (`C12`).
    Types(SmallVec<[Type; 1]>, &'static str),
    /// Only the declaration tells; what can be checked of it has been.
    Declared,
}

impl Inferred {
    pub(super) fn one(ty: impl Into<Type>, rule: &'static str) -> Result<Inferred> {
        Ok(Inferred::Types(smallvec![ty.into()], rule))
    }

    pub(super) fn many(types: impl IntoIterator<Item = Type>, rule: &'static str) -> Result<Inferred> {
        Ok(Inferred::Types(types.into_iter().collect(), rule))
    }
}

/// The error that a rule of the specification does not hold.
pub(super) fn broken(rule: impl std::fmt::Display, message: std::fmt::Arguments) -> Diagnostic {
    Diagnostic::invalid(format!("({rule}) {message}"))
}

/// Returns an error that names the rule unless the condition holds:
/// `rule!(a == b, "C2", "lhs has {a}, rhs {b}")`.
macro_rules! rule {
    ($cond:expr, $name:expr, $($message:tt)+) => {
        let holds: bool = $cond;
        if !holds {
            return Err($crate::ir::infer::sig::broken($name, format_args!($($message)+)));
        }
    };
}
pub(super) use rule;

/// Kinds of elements, as the specification's tables of inputs name them. A set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub const PRED: Kinds = Kinds(1);
    pub const SIGNED: Kinds = Kinds(2);
    pub const UNSIGNED: Kinds = Kinds(4);
    pub const FLOAT: Kinds = Kinds(8);
    pub const COMPLEX: Kinds = Kinds(16);
    /// Quantized per tensor.
    pub const QUANT: Kinds = Kinds(32);
    /// Quantized per axis.
    pub const AXIS: Kinds = Kinds(64);

    pub const INT: Kinds = Kinds(2 | 4);
    pub const PRED_INT: Kinds = Kinds(1 | 2 | 4);
    pub const FP: Kinds = Kinds(8 | 16);
    /// Everything but quantized.
    pub const PLAIN: Kinds = Kinds(1 | 2 | 4 | 8 | 16);
    /// Everything but per-axis quantized: the usual operand.
    pub const TENSOR: Kinds = Kinds(1 | 2 | 4 | 8 | 16 | 32);
    pub const ANY: Kinds = Kinds(127);

    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub fn of(t: &TensorType) -> Kinds {
        match (&t.quant, t.element.class()) {
            (Some(q), _) if q.axis.is_some() => Kinds::AXIS,
            (Some(_), _) => Kinds::QUANT,
            (None, Class::Pred) => Kinds::PRED,
            (None, Class::Signed) => Kinds::SIGNED,
            (None, Class::Unsigned) => Kinds::UNSIGNED,
            (None, Class::Float) => Kinds::FLOAT,
            (None, Class::Complex) => Kinds::COMPLEX,
        }
    }

    pub fn contains(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// `boolean, integer or floating-point`
    fn words(self) -> String {
        let mut words = Vec::new();
        if self.contains(Kinds::PRED) {
            words.push("boolean");
        }
        match (self.contains(Kinds::SIGNED), self.contains(Kinds::UNSIGNED)) {
            (true, true) => words.push("integer"),
            (true, false) => words.push("signed integer"),
            (false, true) => words.push("unsigned integer"),
            (false, false) => {}
        }
        if self.contains(Kinds::FLOAT) {
            words.push("floating-point");
        }
        if self.contains(Kinds::COMPLEX) {
            words.push("complex");
        }
        match (self.contains(Kinds::QUANT), self.contains(Kinds::AXIS)) {
            (true, true) => words.push("quantized"),
            (true, false) => words.push("per-tensor quantized"),
            (false, true) => words.push("per-axis quantized"),
            (false, false) => {}
        }
        match words.split_last() {
            Some((last, [])) => (*last).to_string(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

fn no_constants(_: usize) -> Option<Vec<i64>> {
    None
}

impl<'a> Sig<'a> {
    /// Without declared results, symbols or constant operands.
    pub fn new(op: &'a Op, operands: &'a [Type], regions: &'a [RegionSig]) -> Self {
        Sig { op, operands, regions, results: None, scope: None, constant: &no_constants }
    }

    /// Exactly `n` operands.
    pub(super) fn operand_count(&self, n: usize) -> Result<()> {
        self.count("operand", n, self.operands.len())
    }

    /// Exactly `n` declared results, where results are declared.
    pub(super) fn result_count(&self, n: usize) -> Result<()> {
        self.results.map_or(Ok(()), |r| self.count("result", n, r.len()))
    }

    /// Exactly `n` regions.
    pub(super) fn region_count(&self, n: usize) -> Result<()> {
        self.count("region", n, self.regions.len())
    }

    /// `n` operands, one result, no regions.
    pub(super) fn plain(&self, n: usize) -> Result<()> {
        self.operand_count(n)?;
        self.result_count(1)?;
        self.region_count(0)
    }

    fn count(&self, what: &str, want: usize, got: usize) -> Result<()> {
        if want == got {
            return Ok(());
        }
        let s = if want == 1 { "" } else { "s" };
        Err(Diagnostic::invalid(format!("expects {want} {what}{s}, got {got}")))
    }

    /// Operand `i` as a tensor whose elements are of one of the kinds. `name` is the specification's.
    pub(super) fn tensor(&self, i: usize, name: &str, kinds: Kinds) -> Result<&'a TensorType> {
        let ty = self
            .operands
            .get(i)
            .ok_or_else(|| Diagnostic::invalid(format!("(I{}) operand {name} is missing", i + 1)))?;
        tensor_of(ty, &format_args!("I{}", i + 1), name, kinds)
    }

    /// As [`Self::tensor`], of rank 0.
    pub(super) fn scalar(&self, i: usize, name: &str, kinds: Kinds) -> Result<&'a TensorType> {
        let t = self.tensor(i, name, kinds)?;
        rule!(t.rank() == 0, format_args!("I{}", i + 1), "{name} must be 0-dimensional, got {t}");
        Ok(t)
    }

    /// As [`Self::tensor`], of rank 1 and integers, with a known size: a shape operand.
    pub(super) fn index_vector(&self, i: usize, name: &str) -> Result<(&'a TensorType, i64)> {
        let t = self.tensor(i, name, Kinds::INT)?;
        match t.dims[..] {
            [d] if d.is_static() => Ok((t, d.as_static().unwrap_or(0))),
            _ => Err(Diagnostic::invalid(format!(
                "(I{}) {name} must be a 1-dimensional tensor of static size, got {t}",
                i + 1
            ))),
        }
    }

    /// A run of operands, all tensors of these kinds.
    pub(super) fn tensors(
        &self,
        range: std::ops::Range<usize>,
        input: usize,
        name: &str,
        kinds: Kinds,
    ) -> Result<Tensors<'a>> {
        let operands = self
            .operands
            .get(range)
            .ok_or_else(|| Diagnostic::invalid(format!("(I{input}) operands {name} are missing")))?;
        operands.iter().map(|ty| tensor_of(ty, &format_args!("I{input}"), name, kinds)).collect()
    }

    /// The declared result `i`, as a tensor; `None` when results are not declared.
    pub(super) fn result(&self, i: usize, name: &str, kinds: Kinds) -> Result<Option<&'a TensorType>> {
        let Some(results) = self.results else { return Ok(None) };
        let ty =
            results.get(i).ok_or_else(|| Diagnostic::invalid(format!("result {i} ({name}) is missing")))?;
        tensor_of(ty, &"O", name, kinds).map(Some)
    }

    /// The region, which must exist (see [`Self::region_count`]).
    pub(super) fn region(&self, i: usize) -> Result<&'a RegionSig> {
        self.regions.get(i).ok_or_else(|| Diagnostic::invalid(format!("region {i} is missing")))
    }
}

fn tensor_of<'t>(
    ty: &'t Type,
    label: &dyn std::fmt::Display,
    name: &str,
    kinds: Kinds,
) -> Result<&'t TensorType> {
    match ty {
        Type::Tensor(t) if kinds.contains(Kinds::of(t)) => Ok(t),
        _ if kinds == Kinds::ANY => {
            Err(Diagnostic::invalid(format!("({label}) {name} must be a tensor, got {ty}")))
        }
        _ => Err(Diagnostic::invalid(format!(
            "({label}) {name} must be a tensor of {} type, got {ty}",
            kinds.words()
        ))),
    }
}

/// The tensor that a region takes or returns at one place, of rank 0.
pub(super) fn region_scalar<'t>(ty: &'t Type, rule: &str, what: &str) -> Result<&'t TensorType> {
    match ty.as_tensor() {
        Some(t) if t.rank() == 0 => Ok(t),
        _ => Err(Diagnostic::invalid(format!("({rule}) {what} must be a 0-dimensional tensor, got {ty}"))),
    }
}

/// The type `tensor<i1>`.
pub(super) fn is_scalar_pred(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|t| t.rank() == 0 && t.element == ElementType::Pred && t.quant.is_none())
}
