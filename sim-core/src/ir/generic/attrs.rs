//! Reading and writing the attributes of one operation, in any spelling they come in.

use crate::diag::{Diagnostic, Result};
use crate::dtype::ElementType;
use crate::ir::attr::{Attr, AttrDict, Dense};
use crate::ir::generic::keyword::Keyword;
use crate::ir::op::{HloAttr, Precision};
use crate::tensor::Tensor;
use crate::types::Type;
use std::sync::Arc;

/// A path through nested symbols.
pub(super) type Symbol = Arc<[Arc<str>]>;

/// An operation in its generic form, while its modelled attributes are being taken out.
pub(super) struct Reader<'a> {
    pub name: &'a str,
    pub attrs: &'a mut AttrDict,
    pub operands: &'a [Type],
    pub results: &'a [Type],
}

impl Reader<'_> {
    pub fn take(&mut self, key: &str) -> Option<Attr> {
        self.attrs.take(key)
    }

    pub fn missing(&self, key: &str) -> Diagnostic {
        Diagnostic::invalid(format!("{} requires the attribute `{key}`", self.name))
    }

    pub fn wrong(&self, key: &str, want: &str, got: &Attr) -> Diagnostic {
        Diagnostic::invalid(format!("{}: the attribute `{key}` must be {want}, not {}", self.name, kind(got)))
    }

    pub fn required(&mut self, key: &str) -> Result<Attr> {
        self.take(key).ok_or_else(|| self.missing(key))
    }

    /// `Some(read(attribute))` if the attribute is there; `want` says in words what it must be.
    pub fn optional<T>(
        &mut self,
        key: &str,
        want: &str,
        read: impl FnOnce(&Attr) -> Option<T>,
    ) -> Result<Option<T>> {
        match self.take(key) {
            None => Ok(None),
            Some(attr) => match read(&attr) {
                Some(value) => Ok(Some(value)),
                None => Err(self.wrong(key, want, &attr)),
            },
        }
    }

    fn need<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.missing(key))
    }

    pub fn opt_int(&mut self, key: &str) -> Result<Option<i64>> {
        self.optional(key, "an integer", Attr::as_int)
    }

    pub fn int(&mut self, key: &str) -> Result<i64> {
        let value = self.opt_int(key)?;
        self.need(key, value)
    }

    pub fn int_or(&mut self, key: &str, default: i64) -> Result<i64> {
        Ok(self.opt_int(key)?.unwrap_or(default))
    }

    pub fn opt_ints(&mut self, key: &str) -> Result<Option<Vec<i64>>> {
        self.optional(key, "a list of integers", Attr::as_i64s)
    }

    pub fn ints(&mut self, key: &str) -> Result<Vec<i64>> {
        let value = self.opt_ints(key)?;
        self.need(key, value)
    }

    /// An empty list where the attribute is absent.
    pub fn ints_or_empty(&mut self, key: &str) -> Result<Vec<i64>> {
        Ok(self.opt_ints(key)?.unwrap_or_default())
    }

    pub fn opt_bool(&mut self, key: &str) -> Result<Option<bool>> {
        self.optional(key, "a boolean", |a| match a {
            Attr::Int(n, ElementType::Pred) => Some(*n != 0),
            other => other.as_bool(),
        })
    }

    pub fn bool(&mut self, key: &str) -> Result<bool> {
        let value = self.opt_bool(key)?;
        self.need(key, value)
    }

    /// False where the attribute is absent; a unit attribute means true.
    pub fn flag(&mut self, key: &str) -> Result<bool> {
        Ok(self.opt_bool(key)?.unwrap_or(false))
    }

    pub fn bools_or_empty(&mut self, key: &str) -> Result<Vec<bool>> {
        let read = |a: &Attr| match a {
            Attr::Array(items) => items.iter().map(Attr::as_bool).collect::<Option<Vec<bool>>>(),
            other => Some(other.as_i64s()?.iter().map(|&b| b != 0).collect()),
        };
        Ok(self.optional(key, "a list of booleans", read)?.unwrap_or_default())
    }

    pub fn opt_string(&mut self, key: &str) -> Result<Option<Arc<str>>> {
        self.optional(key, "a string", |a| match a {
            Attr::String(s) => Some(s.clone()),
            _ => None,
        })
    }

    pub fn string(&mut self, key: &str) -> Result<Arc<str>> {
        let value = self.opt_string(key)?;
        self.need(key, value)
    }

    pub fn symbol(&mut self, key: &str) -> Result<Symbol> {
        let value = self.optional(key, "a symbol", as_symbol)?;
        self.need(key, value)
    }

    /// An array of symbols; empty where the attribute is absent.
    pub fn symbols(&mut self, key: &str) -> Result<Vec<Symbol>> {
        Ok(self.optional(key, "an array of symbols", as_symbols)?.unwrap_or_default())
    }

    pub fn float(&mut self, key: &str) -> Result<f64> {
        let value = self.opt_float(key)?;
        self.need(key, value)
    }

    pub fn opt_float(&mut self, key: &str) -> Result<Option<f64>> {
        self.optional(key, "a float", |a| match a {
            Attr::Float(x, _) => Some(*x),
            _ => None,
        })
    }

    pub fn dense(&mut self, key: &str) -> Result<Arc<Dense>> {
        let value = self.optional(key, "a constant (`dense<…>`)", |a| match a {
            Attr::Dense(d) => Some(d.clone()),
            _ => None,
        })?;
        self.need(key, value)
    }

    pub fn opt_keyword<K: Keyword>(&mut self, key: &str) -> Result<Option<K>> {
        let want = format!("a `#stablehlo<{} …>`", K::MNEMONIC);
        self.optional(key, &want, as_keyword)
    }

    pub fn keyword<K: Keyword>(&mut self, key: &str) -> Result<K> {
        let value = self.opt_keyword(key)?;
        self.need(key, value)
    }

    /// A structured attribute; `want` is its name (`#stablehlo.dot<…>`).
    pub fn opt_hlo<T>(
        &mut self,
        key: &str,
        want: &str,
        read: impl FnOnce(&HloAttr) -> Option<T>,
    ) -> Result<Option<T>> {
        self.optional(key, &format!("a `{want}`"), |a| match a {
            Attr::Hlo(h) => read(h),
            _ => None,
        })
    }

    pub fn hlo<T>(&mut self, key: &str, want: &str, read: impl FnOnce(&HloAttr) -> Option<T>) -> Result<T> {
        let value = self.opt_hlo(key, want, read)?;
        self.need(key, value)
    }

    /// Pairs from an n-by-2 constant: padding, source-target pairs.
    pub fn opt_pairs(&mut self, key: &str) -> Result<Option<Vec<(i64, i64)>>> {
        self.optional(key, "a constant of n by 2 integers", |a| {
            let flat = a.as_i64s()?;
            let (pairs, rest) = flat.as_chunks::<2>();
            rest.is_empty().then(|| pairs.iter().map(|p| (p[0], p[1])).collect())
        })
    }

    pub fn precision(&mut self) -> Result<Vec<Precision>> {
        let read = |a: &Attr| match a {
            Attr::Array(items) => items.iter().map(as_keyword).collect(),
            _ => None,
        };
        let want = "an array of `#stablehlo<precision …>`";
        Ok(self.optional("precision_config", want, read)?.unwrap_or_default())
    }
}

fn as_symbol(attr: &Attr) -> Option<Symbol> {
    match attr {
        Attr::Symbol(path) => Some(path.clone()),
        _ => None,
    }
}

pub(super) fn as_symbols(attr: &Attr) -> Option<Vec<Symbol>> {
    match attr {
        Attr::Array(items) => items.iter().map(as_symbol).collect(),
        _ => None,
    }
}

/// Enumerations are also met as plain strings (`"DEFAULT"`).
fn as_keyword<K: Keyword>(attr: &Attr) -> Option<K> {
    match attr {
        Attr::Hlo(h) => K::from_hlo(h),
        Attr::String(s) => K::from_word(s),
        _ => None,
    }
}

/// What an attribute is, for messages.
fn kind(attr: &Attr) -> String {
    match attr {
        Attr::Unit => "a unit attribute".into(),
        Attr::Bool(_) => "a boolean".into(),
        Attr::Int(..) => "an integer".into(),
        Attr::Float(..) => "a float".into(),
        Attr::String(_) => "a string".into(),
        Attr::Symbol(_) => "a symbol".into(),
        Attr::Array(_) => "an array".into(),
        Attr::Dict(_) => "a dictionary".into(),
        Attr::Type(_) => "a type".into(),
        Attr::Dense(d) => format!("a constant of type {}", d.ty),
        Attr::DenseArray(e, _) => format!("an array of {e}"),
        Attr::Loc(_) => "a location".into(),
        Attr::Hlo(_) | Attr::Verbatim(_) => "another dialect attribute".into(),
    }
}

/// The inverse of [`Reader`]: a dictionary under construction. Keys are written in the order of the
/// alphabet, as MLIR sorts them.
#[derive(Default)]
pub(super) struct Writer(pub AttrDict);

impl Writer {
    pub fn put(&mut self, key: &str, value: Attr) {
        self.0.0.push((key.into(), value));
    }

    pub fn i64(&mut self, key: &str, value: i64) {
        self.put(key, Attr::Int(value, ElementType::S64));
    }

    pub fn i32(&mut self, key: &str, value: i64) {
        self.put(key, Attr::Int(value, ElementType::S32));
    }

    pub fn ints(&mut self, key: &str, values: &[i64]) {
        self.put(key, Attr::i64s(values));
    }

    /// Nothing for an empty list, which means the default.
    pub fn ints_unless_empty(&mut self, key: &str, values: &[i64]) {
        if !values.is_empty() {
            self.ints(key, values);
        }
    }

    pub fn bool(&mut self, key: &str, value: bool) {
        self.put(key, Attr::Bool(value));
    }

    pub fn opt_bool(&mut self, key: &str, value: Option<bool>) {
        if let Some(value) = value {
            self.bool(key, value);
        }
    }

    /// A unit attribute, or nothing.
    pub fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.put(key, Attr::Unit);
        }
    }

    pub fn string(&mut self, key: &str, value: &Arc<str>) {
        self.put(key, Attr::String(value.clone()));
    }

    pub fn symbols(&mut self, key: &str, values: &[Symbol]) {
        self.put(key, symbols(values));
    }

    pub fn hlo(&mut self, key: &str, value: HloAttr) {
        self.put(key, Attr::Hlo(Arc::new(value)));
    }

    pub fn keyword<K: Keyword>(&mut self, key: &str, value: K) {
        self.hlo(key, value.to_hlo());
    }

    pub fn precision(&mut self, values: &[Precision]) {
        if !values.is_empty() {
            let items = values.iter().map(|&p| Attr::Hlo(Arc::new(HloAttr::Precision(p)))).collect();
            self.put("precision_config", Attr::Array(items));
        }
    }

    pub fn pairs(&mut self, key: &str, values: &[(i64, i64)]) {
        let flat: Vec<i64> = values.iter().flat_map(|&(a, b)| [a, b]).collect();
        self.matrix(key, values.len(), 2, &flat);
    }

    pub fn pairs_unless_empty(&mut self, key: &str, values: &[(i64, i64)]) {
        if !values.is_empty() {
            self.pairs(key, values);
        }
    }

    /// `dense<…> : tensor<rows x cols x i64>`
    ///
    /// # Panics
    /// If there are not `rows * cols` values.
    pub fn matrix(&mut self, key: &str, rows: usize, cols: usize, values: &[i64]) {
        let dense = Dense::new(Tensor::from_slice(&[rows, cols], values));
        self.put(key, Attr::Dense(Arc::new(dense)));
    }
}

pub(super) fn symbols(values: &[Symbol]) -> Attr {
    Attr::Array(values.iter().cloned().map(Attr::Symbol).collect())
}
