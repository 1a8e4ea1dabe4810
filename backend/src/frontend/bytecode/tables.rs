//! The tables of attributes and types. An entry is read when it is first used, and kept.
//!
//! Entries refer to each other by number, in any order, so a damaged file may hold cycles, chains of
//! any length, or a small web of sharing that unfolds to more than any memory. Hence each entry
//! carries its height and its unfolded weight, and both have a limit.

use super::container::{Container, Entry};
use super::cursor::Cursor;
use super::{builtin, hlo, quant, sdy, vhlo};
use crate::frontend::mlir;
use sim_core::ir::{Attr, AttrDict};
use sim_core::{Diagnostic, Loc, Result, Type};
use std::sync::Arc;

/// How deep attributes and types may nest. Locations are cut.
const MAX_HEIGHT: u32 = 256;

/// What one entry may unfold to, in entries, beside what the file itself has in bytes.
const MAX_WEIGHT: u64 = 1 << 16;

/// Bytes of text that may be made of entries altogether, beside some for each byte of the file.
const MAX_TEXT: u64 = 64 << 20;

/// What all operations together may unfold their attributes to, beside some for each byte of the file.
const MAX_USES: u64 = 32 << 20;

enum Slot<T> {
    Unread,
    Busy,
    Read { value: T, weight: u64, height: u32 },
}

pub(super) struct Tables<'a> {
    pub file: &'a Container<'a>,
    attrs: Vec<Slot<Attr>>,
    types: Vec<Slot<Type>>,
    strings: Vec<Option<Arc<str>>>,
    /// Entries being read.
    depth: u32,
    /// Of the entry being read, so far.
    weight: u64,
    height: u32,
    max_weight: u64,
    /// Bytes of text that may still be made.
    text_left: u64,
    /// Weight that operations may still use.
    uses_left: u64,
}

impl<'a> Tables<'a> {
    pub fn new(file: &'a Container<'a>, size: usize) -> Tables<'a> {
        let size = size as u64;
        Tables {
            file,
            attrs: file.attrs.iter().map(|_| Slot::Unread).collect(),
            types: file.types.iter().map(|_| Slot::Unread).collect(),
            strings: vec![None; file.strings.len()],
            depth: 0,
            weight: 0,
            height: 0,
            max_weight: MAX_WEIGHT + size,
            text_left: MAX_TEXT + 64 * size,
            uses_left: MAX_USES + 64 * size,
        }
    }

    // What entries are made of

    /// A reference to an attribute.
    pub fn attr(&mut self, at: &mut Cursor<'a>) -> Result<Attr> {
        let start = at.at();
        let n = at.varint("an attribute")?;
        self.attr_number(n, at, start)
    }

    /// A reference to an attribute, or none.
    pub fn optional_attr(&mut self, at: &mut Cursor<'a>) -> Result<Option<Attr>> {
        let start = at.at();
        match at.varint_with_flag("an optional attribute")? {
            (n, true) => self.attr_number(n, at, start).map(Some),
            (_, false) => Ok(None),
        }
    }

    /// A list of references to attributes.
    pub fn attrs(&mut self, at: &mut Cursor<'a>) -> Result<Vec<Attr>> {
        let n = at.count("the number of attributes in a list")?;
        (0..n).map(|_| self.attr(at)).collect()
    }

    /// A reference to a type.
    pub fn ty(&mut self, at: &mut Cursor<'a>) -> Result<Type> {
        let start = at.at();
        let n = at.varint("a type")?;
        self.type_number(n, at, start)
    }

    /// A list of references to types.
    pub fn types(&mut self, at: &mut Cursor<'a>) -> Result<Vec<Type>> {
        let n = at.count("the number of types in a list")?;
        (0..n).map(|_| self.ty(at)).collect()
    }

    /// A reference to an attribute that is a string.
    pub fn string_attr(&mut self, at: &mut Cursor<'a>) -> Result<Arc<str>> {
        let start = at.at();
        match self.attr(at)? {
            Attr::String(text) => Ok(text),
            other => Err(at.error_at(start, format_args!("expected a string, found {}", brief(&other)))),
        }
    }

    /// A reference to an attribute that is a location. What nests too deep in it is unknown.
    pub fn loc(&mut self, at: &mut Cursor<'a>) -> Result<Loc> {
        let start = at.at();
        let n = at.varint("an attribute")?;
        let n = at.check_index(n, self.attrs.len(), start, "the attribute")?;
        if self.depth + 1 >= MAX_HEIGHT && matches!(self.attrs[n], Slot::Unread) {
            return Ok(Loc::Unknown);
        }
        let (value, weight, height) = self.entry(n, at, start)?;
        let Attr::Loc(loc) = value else {
            return Err(at.error_at(start, format_args!("expected a location, found {}", brief(&value))));
        };
        if height + 1 < MAX_HEIGHT {
            self.uses(at, weight, height)?;
            return Ok(loc);
        }
        // To the half, so that the next levels need no cut.
        self.uses(at, weight, MAX_HEIGHT / 2)?;
        Ok(loc.cut(MAX_HEIGHT / 2))
    }

    /// A reference to an attribute that is a dictionary.
    pub fn dict(&mut self, at: &mut Cursor<'a>) -> Result<AttrDict> {
        let start = at.at();
        match self.attr(at)? {
            Attr::Dict(dict) => Ok((*dict).clone()),
            other => Err(at.error_at(start, format_args!("expected a dictionary, found {}", brief(&other)))),
        }
    }

    /// A reference to a string of the string section.
    pub fn string(&mut self, at: &mut Cursor<'a>) -> Result<Arc<str>> {
        let n = at.index(self.strings.len(), "the string")?;
        let slot = &mut self.strings[n];
        Ok(slot.get_or_insert_with(|| sim_core::ir::attr::text_of_bytes(self.file.strings[n]).into()).clone())
    }

    /// A list of signed numbers.
    pub fn ints(&mut self, at: &mut Cursor<'a>) -> Result<Vec<i64>> {
        let n = at.count("the number of integers in a list")?;
        (0..n).map(|_| at.signed("an integer")).collect()
    }

    /// Bytes with their number before them.
    pub fn blob(&mut self, at: &mut Cursor<'a>) -> Result<Cursor<'a>> {
        let n = at.varint("the size of a value")?;
        at.take(n, "a value")
    }

    /// Counts a text that was made for the entry being read.
    pub fn made_text(&mut self, at: &Cursor<'a>, text: String) -> Result<Attr> {
        let bytes = text.len() as u64;
        self.weight += bytes / 16;
        self.check_weight(at)?;
        if bytes > self.text_left {
            return Err(too_much(at));
        }
        self.text_left -= bytes;
        Ok(Attr::Verbatim(text.into()))
    }

    // Entries

    fn dialect(&self, entry: &Entry) -> &'a str {
        self.file.dialects[entry.dialect]
    }

    pub fn attr_number(&mut self, n: u64, at: &Cursor<'a>, start: usize) -> Result<Attr> {
        let n = at.check_index(n, self.attrs.len(), start, "the attribute")?;
        let (value, weight, height) = self.entry(n, at, start)?;
        self.uses(at, weight, height)?;
        Ok(value)
    }

    /// The attribute of this number, read now or before, with its weight and height.
    fn entry(&mut self, n: usize, at: &Cursor<'a>, start: usize) -> Result<(Attr, u64, u32)> {
        match &self.attrs[n] {
            Slot::Read { value, weight, height } => Ok((value.clone(), *weight, *height)),
            Slot::Busy => Err(at.error_at(start, format_args!("attribute {n} refers to itself"))),
            Slot::Unread => {
                self.attrs[n] = Slot::Busy;
                let entry = self.file.attrs[n];
                let (value, weight, height) = self.reading(&entry, |t, data| t.read_attr(&entry, n, data))?;
                self.attrs[n] = Slot::Read { value: value.clone(), weight, height };
                Ok((value, weight, height))
            }
        }
    }

    pub fn type_number(&mut self, n: u64, at: &Cursor<'a>, start: usize) -> Result<Type> {
        let n = at.check_index(n, self.types.len(), start, "the type")?;
        let (value, weight, height) = match &self.types[n] {
            Slot::Read { value, weight, height } => (value.clone(), *weight, *height),
            Slot::Busy => return Err(at.error_at(start, format_args!("type {n} refers to itself"))),
            Slot::Unread => {
                self.types[n] = Slot::Busy;
                let entry = self.file.types[n];
                let (value, weight, height) = self.reading(&entry, |t, data| t.read_type(&entry, data))?;
                self.types[n] = Slot::Read { value: value.clone(), weight, height };
                (value, weight, height)
            }
        };
        self.uses(at, weight, height)?;
        Ok(value)
    }

    /// Reads one entry to its end; gives its weight and height too.
    fn reading<T>(
        &mut self,
        entry: &Entry<'a>,
        read: impl FnOnce(&mut Self, &mut Cursor<'a>) -> Result<T>,
    ) -> Result<(T, u64, u32)> {
        let mut data = entry.data;
        if self.depth >= MAX_HEIGHT {
            return Err(too_deep(&data));
        }
        let outer = (self.weight, self.height);
        (self.weight, self.height) = (1 + data.remaining() as u64 / 16, 0);
        self.depth += 1;
        let value = read(self, &mut data);
        self.depth -= 1;
        let (weight, height) = (self.weight, self.height + 1);
        (self.weight, self.height) = outer;
        let value = value?;
        if !data.is_empty() {
            return Err(data.expected("the end of the entry"));
        }
        Ok((value, weight, height))
    }

    /// The entry being read uses another one, or (when none is) an operation does.
    fn uses(&mut self, at: &Cursor, weight: u64, height: u32) -> Result<()> {
        if self.depth == 0 {
            self.uses_left = self.uses_left.checked_sub(weight).ok_or_else(|| too_much(at))?;
            return Ok(());
        }
        self.weight = self.weight.saturating_add(weight);
        self.height = self.height.max(height);
        if self.height >= MAX_HEIGHT {
            return Err(too_deep(at));
        }
        self.check_weight(at)
    }

    fn check_weight(&self, at: &Cursor) -> Result<()> {
        if self.weight > self.max_weight { Err(too_much(at)) } else { Ok(()) }
    }

    fn read_attr(&mut self, entry: &Entry<'a>, number: usize, data: &mut Cursor<'a>) -> Result<Attr> {
        if !entry.custom {
            return self.text_entry(data, "an attribute", mlir::attr_of_text);
        }
        match self.dialect(entry) {
            "builtin" => builtin::attr(self, data, number),
            "vhlo" => vhlo::attr(self, data),
            "stablehlo" => hlo::stablehlo_attr(self, data),
            "chlo" => hlo::chlo_attr(self, data),
            "sdy" => sdy::attr(self, data),
            other => Err(unknown_encoding(data, "attribute", other)),
        }
    }

    fn read_type(&mut self, entry: &Entry<'a>, data: &mut Cursor<'a>) -> Result<Type> {
        if !entry.custom {
            return self.text_entry(data, "a type", mlir::type_of_text);
        }
        match self.dialect(entry) {
            "builtin" => builtin::ty(self, data),
            "vhlo" => vhlo::ty(self, data),
            "stablehlo" => hlo::stablehlo_type(self, data),
            "quant" => quant::ty(self, data),
            other => Err(unknown_encoding(data, "type", other)),
        }
    }

    /// An entry whose dialect has no encoding of its own: text.
    fn text_entry<T>(
        &mut self,
        data: &mut Cursor<'a>,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T>,
    ) -> Result<T> {
        let start = data.at();
        let bytes = data.c_string(&format!("the text of {what}"))?;
        let text = std::str::from_utf8(bytes)
            .map_err(|_| data.error_at(start, format_args!("the text of {what} is not UTF-8")))?;
        parse(text).map_err(|e| {
            let at = start + e.span().map_or(0, |s| s.start as usize);
            let message = format!("bytecode, text of {what} at byte {at}: {}", e.message());
            Diagnostic::new(e.kind(), message).at(super::cursor::span(at, at + 1))
        })
    }
}

fn too_deep(at: &Cursor) -> Diagnostic {
    at.error_at(at.at(), format_args!("attributes and types nested more than {MAX_HEIGHT} levels deep"))
}

fn too_much(at: &Cursor) -> Diagnostic {
    at.error_at(at.at(), "attributes and types that unfold to far more than the file holds")
}

fn unknown_encoding(data: &Cursor, what: &str, dialect: &str) -> Diagnostic {
    Diagnostic::unsupported(format!(
        "bytecode, byte {}: an {what} in the encoding of the dialect `{dialect}`, which is not known",
        data.at()
    ))
    .at(super::cursor::span(data.at(), data.at() + 1))
    .help("write the module as text")
}

/// An attribute in a message.
pub(super) fn brief(attr: &Attr) -> String {
    let text = match attr {
        Attr::Dense(d) => format!("a constant of type {}", d.ty),
        Attr::Loc(_) => "a location".to_owned(),
        Attr::Dict(_) => "a dictionary".to_owned(),
        Attr::Array(_) => "an array".to_owned(),
        other => other.to_string(),
    };
    match text.char_indices().nth(80) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
