//! Types of values in the IR: tensors with static, bounded and dynamic dimensions, tokens, tuples.

use crate::dtype::ElementType;
use crate::ir::Attr;
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// One dimension's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    Static(i64),
    /// `?`
    Dynamic,
    /// `?` with an upper bound (`#stablehlo.bounds<4>`; HLO's `<=4`).
    Bounded(i64),
}

pub type Dims = SmallVec<[Dim; 4]>;

impl Dim {
    pub fn as_static(self) -> Option<i64> {
        match self {
            Dim::Static(n) => Some(n),
            _ => None,
        }
    }

    pub fn is_static(self) -> bool {
        matches!(self, Dim::Static(_))
    }

    /// May a value of size `self` be used where `other` is declared? (Equal, or one side unknown,
    /// or within the bound.)
    pub fn compatible(self, other: Dim) -> bool {
        match (self, other) {
            (Dim::Static(a), Dim::Static(b)) => a == b,
            (Dim::Static(a), Dim::Bounded(b)) | (Dim::Bounded(b), Dim::Static(a)) => a <= b,
            _ => true,
        }
    }
}

impl From<i64> for Dim {
    fn from(n: i64) -> Dim {
        Dim::Static(n)
    }
}

/// `!quant.uniform<storage:expressed, …>`: real = (stored - zero_point) * scale.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantType {
    pub storage: ElementType,
    pub expressed: ElementType,
    /// Inclusive bounds of the stored value; the storage type's own where the text gives none.
    pub storage_min: i64,
    pub storage_max: i64,
    /// The quantized dimension of a per-axis type; `None` for per-tensor.
    pub axis: Option<i64>,
    /// One scale and zero point (per tensor), or one per slice of `axis`.
    pub scales: Vec<f64>,
    pub zero_points: Vec<i64>,
}

/// `tensor<2x?xf32>`. For a quantized tensor `element` is the storage type.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorType {
    pub element: ElementType,
    pub dims: Dims,
    pub quant: Option<Arc<QuantType>>,
    /// An encoding other than bounds (which live in `dims`), kept as it was read.
    pub encoding: Option<Arc<Attr>>,
}

impl TensorType {
    pub fn new(element: ElementType, dims: impl IntoIterator<Item = Dim>) -> Self {
        TensorType { element, dims: dims.into_iter().collect(), quant: None, encoding: None }
    }

    /// With static dimensions.
    pub fn of(element: ElementType, dims: &[i64]) -> Self {
        Self::new(element, dims.iter().map(|&n| Dim::Static(n)))
    }

    pub fn scalar(element: ElementType) -> Self {
        Self::new(element, [])
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn is_static(&self) -> bool {
        self.dims.iter().all(|d| d.is_static())
    }

    /// Sizes, if all are static and none is negative.
    pub fn static_dims(&self) -> Option<SmallVec<[usize; 4]>> {
        self.dims.iter().map(|d| d.as_static().and_then(|n| usize::try_from(n).ok())).collect()
    }

    /// Sizes, or their bounds where they are open; `None` where there is no bound.
    pub fn bounded_dims(&self) -> Option<SmallVec<[usize; 4]>> {
        let bound = |d: &Dim| match *d {
            Dim::Static(n) | Dim::Bounded(n) => usize::try_from(n).ok(),
            Dim::Dynamic => None,
        };
        self.dims.iter().map(bound).collect()
    }

    /// Number of elements, if static and within `u64`.
    pub fn num_elements(&self) -> Option<u64> {
        // A zero anywhere makes the whole empty, even beside sizes whose product overflows.
        let dims: SmallVec<[u64; 4]> = self
            .dims
            .iter()
            .map(|d| d.as_static().and_then(|n| u64::try_from(n).ok()))
            .collect::<Option<_>>()?;
        if dims.contains(&0) {
            return Some(0);
        }
        dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d))
    }

    /// The same dimensions with another element type (and no quantization).
    pub fn with_element(&self, element: ElementType) -> Self {
        TensorType { element, dims: self.dims.clone(), quant: None, encoding: self.encoding.clone() }
    }
}

/// The type of an SSA value, or of a type attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Tensor(Arc<TensorType>),
    /// `!stablehlo.token`
    Token,
    /// `tuple<…>`
    Tuple(Arc<[Type]>),
    /// `!stablehlo.future<…>`: what an `async_start` gives.
    Future(Arc<[Type]>),
    /// `memref<…>`: a buffer of StableHLO's buffer form.
    Buffer(Arc<TensorType>),
    /// A bare element type (`i32`, `f32`, `index`, `complex<f32>`): only in attributes.
    Scalar(ElementType),
    /// A bare quantized type: only in attributes.
    Quant(Arc<QuantType>),
    /// `(…) -> (…)`: only in attributes.
    Function(Arc<FunctionType>),
    /// `none`
    None,
    /// A type of a dialect that is not modelled, kept as its text.
    Verbatim(Arc<str>),
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct FunctionType {
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

impl Type {
    pub fn tensor(element: ElementType, dims: &[i64]) -> Type {
        Type::Tensor(Arc::new(TensorType::of(element, dims)))
    }

    pub fn as_tensor(&self) -> Option<&TensorType> {
        match self {
            Type::Tensor(t) => Some(t),
            _ => None,
        }
    }
}

impl From<TensorType> for Type {
    fn from(t: TensorType) -> Type {
        Type::Tensor(Arc::new(t))
    }
}

impl fmt::Display for QuantType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The quant dialect spells unsigned storage `u8`, where the builtin one says `ui8`.
        let sign = if self.storage.is_unsigned() { "u" } else { "" };
        let storage = self.storage.mlir_name().trim_start_matches("ui");
        write!(f, "!quant.uniform<{sign}{storage}")?;
        if (self.storage_min, self.storage_max) != default_storage_range(self.storage) {
            write!(f, "<{}:{}>", self.storage_min, self.storage_max)?;
        }
        write!(f, ":{}", self.expressed)?;
        let one = |f: &mut fmt::Formatter<'_>, scale: f64, zero: i64| {
            // Debug of f64 is the shortest text that reads back; MLIR wants a point in it.
            write!(f, "{}", float_text(scale))?;
            if zero != 0 { write!(f, ":{zero}") } else { Ok(()) }
        };
        match self.axis {
            None => {
                f.write_str(", ")?;
                one(f, self.scales[0], self.zero_points[0])?;
            }
            Some(axis) => {
                write!(f, ":{axis}, {{")?;
                for (i, (&s, &z)) in self.scales.iter().zip(&self.zero_points).enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    one(f, s, z)?;
                }
                f.write_str("}")?;
            }
        }
        f.write_str(">")
    }
}

/// The shortest decimal text that reads back to the same f64, in a form MLIR's lexer takes
/// (a point is required: `1.0e-05`, not `1e-5`).
pub fn float_text(x: f64) -> String {
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((mantissa, _)) if mantissa.contains('.') => text,
        Some((mantissa, exponent)) => format!("{mantissa}.0e{exponent}"),
        None => text,
    }
}

/// Inclusive bounds of an integer storage type.
pub fn default_storage_range(ty: ElementType) -> (i64, i64) {
    let bits = ty.bits();
    if ty.is_unsigned() {
        (0, if bits >= 63 { i64::MAX } else { (1i64 << bits) - 1 })
    } else if bits >= 64 {
        (i64::MIN, i64::MAX)
    } else {
        (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1)
    }
}

/// Writes the dimensions, element and encoding between the angle brackets.
fn fmt_tensor(t: &TensorType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for d in &t.dims {
        match d {
            Dim::Static(n) => write!(f, "{n}x")?,
            _ => f.write_str("?x")?,
        }
    }
    match &t.quant {
        Some(q) => write!(f, "{q}")?,
        None => write!(f, "{}", t.element)?,
    }
    if t.dims.iter().any(|d| matches!(d, Dim::Bounded(_))) {
        f.write_str(", #stablehlo.bounds<")?;
        for (i, d) in t.dims.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            match d {
                Dim::Bounded(n) => write!(f, "{n}")?,
                _ => f.write_str("?")?,
            }
        }
        f.write_str(">")?;
    }
    if let Some(e) = &t.encoding {
        write!(f, ", {e}")?;
    }
    Ok(())
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        fmt_tensor(self, f)?;
        f.write_str(">")
    }
}

fn fmt_list(types: &[Type], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, t) in types.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{t}")?;
    }
    Ok(())
}

/// MLIR's text, which its parser and ours read back.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Tensor(t) => write!(f, "{t}"),
            Type::Token => f.write_str("!stablehlo.token"),
            Type::Tuple(ts) => {
                f.write_str("tuple<")?;
                fmt_list(ts, f)?;
                f.write_str(">")
            }
            Type::Future(ts) => {
                f.write_str("!stablehlo.future<")?;
                fmt_list(ts, f)?;
                f.write_str(">")
            }
            Type::Buffer(t) => {
                f.write_str("memref<")?;
                fmt_tensor(t, f)?;
                f.write_str(">")
            }
            Type::Scalar(e) => write!(f, "{e}"),
            Type::Quant(q) => write!(f, "{q}"),
            Type::Function(t) => {
                f.write_str("(")?;
                fmt_list(&t.inputs, f)?;
                f.write_str(") -> ")?;
                if t.results.len() == 1 && !matches!(t.results[0], Type::Function(_)) {
                    write!(f, "{}", t.results[0])
                } else {
                    f.write_str("(")?;
                    fmt_list(&t.results, f)?;
                    f.write_str(")")
                }
            }
            Type::None => f.write_str("none"),
            Type::Verbatim(text) => f.write_str(text),
        }
    }
}
