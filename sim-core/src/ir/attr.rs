//! Attributes in MLIR's generic form.

use crate::dtype::ElementType;
use crate::ir::op::HloAttr;
use crate::loc::Loc;
use crate::tensor::Tensor;
use crate::types::{QuantType, Type};
use std::sync::Arc;

/// The attribute of a scatter that drops windows whole of which a part lies outside, whatever the numerics.
pub const WHOLE_WINDOWS: &str = "hlo.whole_windows";

/// A constant with its declared type (which, unlike the tensor, knows quantization).
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    pub ty: Type,
    /// The elements. A splat is stored as one element of shape `[]`, whatever the type's shape, so
    /// a splat of 10^12 elements costs nothing until somebody computes with it.
    pub value: Tensor,
    pub splat: bool,
}

/// One attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr {
    Unit,
    Bool(bool),
    /// `3 : i32`. The type is a scalar integer type or index; u64 wraps into i64.
    Int(i64, ElementType),
    /// `1.0 : f32`, already rounded to its type.
    Float(f64, ElementType),
    String(Arc<str>),
    /// `@main`, `@a::@b`
    Symbol(Arc<[Arc<str>]>),
    Array(Arc<[Attr]>),
    Dict(Arc<AttrDict>),
    Type(Type),
    /// `dense<…> : tensor<…>` and `dense_resource<…>`
    Dense(Arc<Dense>),
    /// `array<i64: 1, 2>`; of `i1`, integers or floats. Floats are kept as their bits in i64 (f64 bits).
    DenseArray(ElementType, Arc<[i64]>),
    Loc(Loc),
    /// A StableHLO, CHLO or sdy attribute that is understood.
    Hlo(Arc<HloAttr>),
    /// Anything else (`#foo.bar<…>`, `affine_map<…>`), kept as its text with aliases expanded.
    Verbatim(Arc<str>),
}

impl Attr {
    pub fn string(s: &str) -> Attr {
        Attr::String(s.into())
    }

    pub fn i64s(values: &[i64]) -> Attr {
        Attr::DenseArray(ElementType::S64, values.into())
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Attr::String(s) => Some(s),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Attr::Int(n, _) => Some(*n),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Attr::Bool(b) => Some(*b),
            Attr::Unit => Some(true),
            _ => None,
        }
    }

    /// A list of integers in any of the forms it is written in: `array<i64: …>`, `[1, 2]`,
    /// `dense<[1, 2]> : tensor<2xi64>` (row-major).
    pub fn as_i64s(&self) -> Option<Vec<i64>> {
        match self {
            Attr::DenseArray(e, v) if !e.is_float() => Some(v.to_vec()),
            Attr::Array(items) => items.iter().map(Attr::as_int).collect(),
            Attr::Dense(d) => {
                let e = d.value.element();
                if !(e.is_integer() || e == ElementType::Pred) {
                    return None;
                }
                let values = d.value.to_i64s();
                match (d.splat, d.ty.as_tensor()?.num_elements()?) {
                    // Attribute lists are short; a splat that is not is somebody's attack.
                    (true, n) if n <= 1 << 20 => Some(vec![values[0]; n as usize]),
                    (true, _) => None,
                    (false, _) => Some(values),
                }
            }
            _ => None,
        }
    }
}

/// MLIR's strings are bytes, [`Attr::String`] is text. A byte that is not part of UTF-8 text becomes the
/// private-use character U+10FF00 + byte (and so do the bytes of those characters themselves), so
/// nothing is lost: [`bytes_of_text`] is the inverse.
pub fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let escape = |b: &u8| char::from_u32(ESCAPED + u32::from(*b)).unwrap_or(char::REPLACEMENT_CHARACTER);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if u32::from(c) >= ESCAPED {
                text.extend(c.encode_utf8(&mut [0; 4]).as_bytes().iter().map(escape));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().map(escape));
    }
    text
}

/// The bytes behind a text of [`text_of_bytes`]: what a printer escapes, what a custom call is given.
pub fn bytes_of_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(ESCAPED) {
            Some(byte) => bytes.push(byte as u8),
            None => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The last 256 characters of the private-use plane 16.
const ESCAPED: u32 = 0x10ff00;

/// An ordered dictionary. MLIR sorts by name; here the order read is the order printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttrDict(pub Vec<(Arc<str>, Attr)>);

impl AttrDict {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Attr)> {
        self.0.iter().map(|(k, v)| (&**k, v))
    }

    pub fn get(&self, name: &str) -> Option<&Attr> {
        self.0.iter().find(|(k, _)| &**k == name).map(|(_, v)| v)
    }

    /// Takes the entry out.
    pub fn take(&mut self, name: &str) -> Option<Attr> {
        let i = self.0.iter().position(|(k, _)| &**k == name)?;
        Some(self.0.remove(i).1)
    }

    /// Sets the entry, in its old place if there is one.
    pub fn set(&mut self, name: &str, value: Attr) {
        match self.0.iter_mut().find(|(k, _)| &**k == name) {
            Some((_, v)) => *v = value,
            None => self.0.push((name.into(), value)),
        }
    }
}

impl FromIterator<(Arc<str>, Attr)> for AttrDict {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Attr)>>(iter: I) -> Self {
        AttrDict(iter.into_iter().collect())
    }
}

impl Dense {
    pub fn new(value: Tensor) -> Dense {
        Dense { ty: value.ty(), value, splat: false }
    }

    /// The quantization of the declared type.
    pub fn quant(&self) -> Option<&Arc<QuantType>> {
        self.ty.as_tensor().and_then(|t| t.quant.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_every_byte() {
        let all: Vec<u8> = (0..=255).chain(*b"\xf4\x8f\xbf\xbd\xe2\x86\x92").collect();
        assert_eq!(bytes_of_text(&text_of_bytes(&all)), all);
        assert_eq!(text_of_bytes("a → b".as_bytes()), "a → b");
    }
}
