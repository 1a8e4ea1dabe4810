//! MLIR's own attributes, types and locations in their encoding: the inverse of
//! [`builtin`](super::super::builtin).

use super::constant::{Constant, LARGE, array};
use super::tables::{Draft, Ref};
use super::{MAX_HEIGHT, World, Writer};
use crate::frontend::bytecode::codes::{BUILTIN_FLOATS, builtin_attr as code, builtin_type};
use crate::frontend::mlir;
use sim_core::ir::Attr;
use sim_core::ir::attr::{Dense, bytes_of_text};
use sim_core::ir::op::HloAttr;
use sim_core::loc::LocData;
use sim_core::{Diagnostic, Dim, ElementType as E, Loc, Result, TensorType, Type};
use std::sync::Arc;

/// What stands for a size that is not known.
const DYNAMIC: i64 = i64::MIN;

impl Writer {
    /// An attribute, in the encoding of the world that it is part of.
    pub fn attr(&mut self, attr: &Attr, world: World) -> Result<Ref> {
        if self.height >= MAX_HEIGHT {
            return Err(Diagnostic::unsupported(format!("attributes nested more than {MAX_HEIGHT} deep")));
        }
        self.height += 1;
        let made = match world {
            World::Vhlo => self.vhlo_attr(attr),
            World::Builtin | World::Chlo => self.builtin_attr(attr, world),
        };
        self.height -= 1;
        made
    }

    pub fn attrs<'a>(&mut self, items: impl IntoIterator<Item = &'a Attr>, world: World) -> Result<Vec<Ref>> {
        items.into_iter().map(|item| self.attr(item, world)).collect()
    }

    pub fn ty(&mut self, ty: &Type, world: World) -> Result<Ref> {
        if self.height >= MAX_HEIGHT {
            return Err(Diagnostic::unsupported(format!("types nested more than {MAX_HEIGHT} deep")));
        }
        self.height += 1;
        let made = match world {
            World::Vhlo => self.vhlo_type(ty),
            World::Builtin | World::Chlo => self.builtin_type(ty),
        };
        self.height -= 1;
        made
    }

    pub fn types<'a>(&mut self, types: impl IntoIterator<Item = &'a Type>, world: World) -> Result<Vec<Ref>> {
        types.into_iter().map(|ty| self.ty(ty, world)).collect()
    }

    /// An attribute in a dialect's encoding.
    pub fn add_attr(&mut self, dialect: &str, draft: Draft) -> Ref {
        let dialect = self.tables.dialect(dialect);
        self.tables.attrs.add(dialect, true, draft)
    }

    /// A type in a dialect's encoding.
    pub fn add_type(&mut self, dialect: &str, draft: Draft) -> Ref {
        let dialect = self.tables.dialect(dialect);
        self.tables.types.add(dialect, true, draft)
    }

    /// An attribute as text, which any reader of MLIR takes.
    pub fn text_attr(&mut self, text: &str) -> Result<Ref> {
        let (dialect, draft) = self.text(text)?;
        Ok(self.tables.attrs.add(dialect, false, draft))
    }

    fn text_type(&mut self, text: &str) -> Result<Ref> {
        let (dialect, draft) = self.text(text)?;
        Ok(self.tables.types.add(dialect, false, draft))
    }

    fn text(&mut self, text: &str) -> Result<(u64, Draft)> {
        if text.contains('\0') {
            return Err(Diagnostic::unsupported("an attribute whose text holds a zero byte"));
        }
        // `#sdy.sharding<…>`, `!quant<…>`; what has no such head is MLIR's own.
        let name = text.strip_prefix(['#', '!']).map_or("builtin", |rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            &rest[..end]
        });
        let mut draft = Draft::new(0);
        draft.bytes.0.clear();
        draft.bytes.c_string(text.as_bytes());
        Ok((self.tables.dialect(name), draft))
    }

    /// The number of a string.
    pub fn string(&mut self, text: &str) -> u64 {
        self.tables.strings.add(&bytes_of_text(text))
    }

    pub fn string_attr(&mut self, text: &str) -> Ref {
        let mut draft = Draft::new(code::STRING);
        draft.bytes.varint(self.string(text));
        self.add_attr("builtin", draft)
    }

    /// A dictionary, sorted by name as MLIR's are.
    pub fn dict<'a>(
        &mut self,
        entries: impl IntoIterator<Item = (&'a str, &'a Attr)>,
        values: World,
    ) -> Result<Ref> {
        let mut made = Vec::new();
        for (name, value) in sorted(entries) {
            made.push((name, self.attr(value, values)?));
        }
        Ok(self.dict_of(made))
    }

    /// A dictionary of attributes that are written already.
    pub fn dict_of(&mut self, mut entries: Vec<(&str, Ref)>) -> Ref {
        entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        let mut draft = Draft::new(code::DICTIONARY);
        draft.bytes.count(entries.len());
        for (name, value) in entries {
            draft.refer(self.string_attr(name));
            draft.refer(value);
        }
        self.add_attr("builtin", draft)
    }

    /// `loc(unknown)`
    pub fn unknown_loc(&mut self) -> Ref {
        self.add_attr("builtin", Draft::new(code::UNKNOWN_LOC))
    }

    fn builtin_attr(&mut self, attr: &Attr, world: World) -> Result<Ref> {
        let draft = match attr {
            Attr::Unit => Draft::new(code::UNIT),
            Attr::Bool(b) => self.integer(i64::from(*b), E::Pred)?,
            Attr::Int(n, e) => self.integer(*n, *e)?,
            Attr::Float(x, e) => {
                let mut draft = Draft::new(code::FLOAT);
                draft.refer(self.builtin_type(&Type::Scalar(*e))?);
                draft.bytes.known_width(mlir::bits_of_float(*x, *e), e.bits());
                draft
            }
            Attr::String(text) => return Ok(self.string_attr(text)),
            Attr::Symbol(path) => match &path[..] {
                [root, nested @ ..] if !nested.is_empty() => {
                    let mut draft = Draft::new(code::SYMBOL);
                    draft.refer(self.string_attr(root));
                    let nested: Vec<Ref> = nested.iter().map(|name| self.symbol(name)).collect();
                    draft.refer_all(&nested);
                    draft
                }
                [name] => return Ok(self.symbol(name)),
                _ => return Err(Diagnostic::invalid("a symbol without a name")),
            },
            Attr::Array(items) => {
                let items = self.attrs(&**items, world)?;
                let mut draft = Draft::new(code::ARRAY);
                draft.refer_all(&items);
                draft
            }
            Attr::Dict(dict) => return self.dict(dict.iter(), world),
            Attr::Type(ty) => {
                let mut draft = Draft::new(code::TYPE);
                draft.refer(self.builtin_type(ty)?);
                draft
            }
            Attr::Dense(dense) => {
                let mut draft = Draft::new(code::DENSE);
                draft.refer(self.builtin_type(&dense.ty)?);
                return Ok(self.constant("builtin", draft, dense));
            }
            Attr::DenseArray(e, values) => {
                let mut draft = Draft::new(code::DENSE_ARRAY);
                draft.refer(self.builtin_type(&Type::Scalar(*e))?);
                draft.bytes.count(values.len());
                draft.bytes.blob(&array(values, *e));
                draft
            }
            Attr::Loc(loc) => return self.loc(loc),
            Attr::Hlo(hlo) => return self.hlo_attr(hlo, world),
            Attr::Verbatim(text) => return self.text_attr(text),
        };
        Ok(self.add_attr("builtin", draft))
    }

    fn integer(&mut self, n: i64, e: E) -> Result<Draft> {
        let mut draft = Draft::new(code::INTEGER);
        draft.refer(self.builtin_type(&Type::Scalar(e))?);
        draft.bytes.known_width(n as u64, e.bits());
        Ok(draft)
    }

    fn symbol(&mut self, name: &str) -> Ref {
        let mut draft = Draft::new(code::FLAT_SYMBOL);
        draft.refer(self.string_attr(name));
        self.add_attr("builtin", draft)
    }

    /// A constant after its type.
    pub fn constant(&mut self, dialect: &str, mut draft: Draft, dense: &Arc<Dense>) -> Ref {
        let constant = Constant::new(dense);
        draft.bytes.varint(constant.size());
        if constant.size() >= LARGE {
            let key = (Arc::as_ptr(dense) as usize, draft.bytes.0.clone());
            if let Some((_, made)) = self.constants.get(&key) {
                return *made;
            }
            let dialect = self.tables.dialect(dialect);
            let made = self.tables.attrs.add_constant(dialect, draft, constant);
            self.constants.insert(key, (dense.clone(), made));
            return made;
        }
        // Writing to memory does not fail.
        let _ = constant.write(&mut draft.bytes.0);
        self.add_attr(dialect, draft)
    }

    /// A location. Those that are shared in memory are written once without being looked at again.
    pub fn loc(&mut self, loc: &Loc) -> Result<Ref> {
        let Loc::Known(data) = loc else { return Ok(self.unknown_loc()) };
        let key = Arc::as_ptr(data) as usize;
        if let Some((_, made)) = self.locs.get(&key) {
            return Ok(*made);
        }
        if self.height >= MAX_HEIGHT {
            return Ok(self.unknown_loc());
        }
        self.height += 1;
        let draft = self.known_loc(data);
        self.height -= 1;
        let made = self.add_attr("builtin", draft?);
        self.locs.insert(key, (data.clone(), made));
        Ok(made)
    }

    fn known_loc(&mut self, data: &LocData) -> Result<Draft> {
        Ok(match data {
            LocData::File { file, line, col, end } => {
                // Readers of before StableHLO 1.9 know places but no ranges.
                let end = end.filter(|_| self.has_ranges());
                let mut draft = Draft::new(if end.is_some() { code::FILE_RANGE_LOC } else { code::FILE_LOC });
                draft.refer(self.string_attr(file));
                let (line, col) = (u64::from(*line), u64::from(*col));
                let numbers = match end.map(|(a, b)| (u64::from(a), u64::from(b))) {
                    None => vec![line, col],
                    Some((last_line, last)) if last_line == line => vec![line, col, last],
                    Some((last_line, last)) => vec![line, col, last_line, last],
                };
                if end.is_some() {
                    draft.bytes.count(numbers.len());
                }
                numbers.into_iter().for_each(|n| draft.bytes.varint(n));
                draft
            }
            LocData::Name { name, child } => {
                let mut draft = Draft::new(code::NAME_LOC);
                draft.refer(self.string_attr(name));
                draft.refer(self.loc(child)?);
                draft
            }
            LocData::CallSite { callee, caller } => {
                let mut draft = Draft::new(code::CALL_SITE_LOC);
                draft.refer(self.loc(callee)?);
                draft.refer(self.loc(caller)?);
                draft
            }
            LocData::Fused { locs, metadata } => {
                let with = metadata.is_some();
                let locs: Vec<Ref> = locs.iter().map(|loc| self.loc(loc)).collect::<Result<_>>()?;
                let mut draft =
                    Draft::new(if with { code::FUSED_LOC_WITH_METADATA } else { code::FUSED_LOC });
                draft.refer_all(&locs);
                if let Some(text) = metadata {
                    let made = match mlir::attr_of_text(text) {
                        Ok(attr) => self.attr(&attr, World::Builtin)?,
                        Err(_) => self.text_attr(text)?,
                    };
                    draft.refer(made);
                }
                draft
            }
        })
    }

    fn builtin_type(&mut self, ty: &Type) -> Result<Ref> {
        use builtin_type as code;
        let draft = match ty {
            Type::Scalar(e) => match e.is_complex() {
                true => {
                    let part = self.builtin_type(&Type::Scalar(e.real_part()))?;
                    let mut draft = Draft::new(code::COMPLEX);
                    draft.refer(part);
                    draft
                }
                false => scalar(*e),
            },
            Type::Tensor(tensor) => {
                let encoding = encoding(tensor);
                let mut draft = match &encoding {
                    Some(encoding) => {
                        let mut draft = Draft::new(code::TENSOR_WITH_ENCODING);
                        draft.refer(self.builtin_attr(encoding, World::Builtin)?);
                        draft
                    }
                    None => Draft::new(code::TENSOR),
                };
                draft.bytes.ints(&sizes(tensor));
                draft.refer(self.builtin_type(&element(tensor))?);
                draft
            }
            Type::Token | Type::Future(_) | Type::Quant(_) => return self.dialect_type(ty),
            Type::Tuple(types) => {
                let types = self.types(&**types, World::Builtin)?;
                let mut draft = Draft::new(code::TUPLE);
                draft.refer_all(&types);
                draft
            }
            Type::Function(function) => {
                let inputs = self.types(&function.inputs, World::Builtin)?;
                let results = self.types(&function.results, World::Builtin)?;
                let mut draft = Draft::new(code::FUNCTION);
                draft.refer_all(&inputs);
                draft.refer_all(&results);
                draft
            }
            Type::None => Draft::new(code::NONE),
            // The layout is part of its text.
            Type::Buffer(_) => return self.text_type(&ty.to_string()),
            Type::Verbatim(text) => return self.text_type(text),
        };
        Ok(self.add_type("builtin", draft))
    }
}

/// In the order in which MLIR keeps dictionaries: the same bytes, whatever the order in the module.
pub fn sorted<'a>(entries: impl IntoIterator<Item = (&'a str, &'a Attr)>) -> Vec<(&'a str, &'a Attr)> {
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    entries
}

fn scalar(e: E) -> Draft {
    if let Some((code, _)) = BUILTIN_FLOATS.iter().find(|row| row.1 == e) {
        return Draft::new(*code);
    }
    if e == E::Index {
        return Draft::new(builtin_type::INDEX);
    }
    let mut draft = Draft::new(builtin_type::INTEGER);
    let signedness = if e.is_unsigned() { 2 } else { 0 };
    draft.bytes.varint(u64::from(e.bits()) << 2 | signedness);
    draft
}

/// The sizes of a tensor's dimensions.
pub fn sizes(tensor: &TensorType) -> Vec<i64> {
    tensor.dims.iter().map(|dim| dim.as_static().unwrap_or(DYNAMIC)).collect()
}

/// The bounds of a tensor's dimensions, with what stands for none.
pub fn bounds(bounds: &[Option<i64>]) -> Vec<i64> {
    bounds.iter().map(|bound| bound.unwrap_or(DYNAMIC)).collect()
}

/// The type of a tensor's elements.
pub fn element(tensor: &TensorType) -> Type {
    match &tensor.quant {
        Some(quant) => Type::Quant(quant.clone()),
        None => Type::Scalar(tensor.element),
    }
}

/// What the type says beside sizes and elements: the bounds, or something that is kept.
pub fn encoding(tensor: &TensorType) -> Option<Attr> {
    if tensor.dims.iter().any(|dim| matches!(dim, Dim::Bounded(_))) {
        let bound = |dim: &Dim| match dim {
            Dim::Bounded(n) => Some(*n),
            _ => None,
        };
        return Some(Attr::Hlo(Arc::new(HloAttr::Bounds(tensor.dims.iter().map(bound).collect()))));
    }
    tensor.encoding.as_deref().cloned()
}
