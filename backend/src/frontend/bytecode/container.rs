//! The file: its header, its sections, and the tables in them that need no dialect to be understood.
//!
//! ```text
//! magic, version, producer
//! dialect      names of the dialects, and of the operations by dialect
//! attr/type    the encoded attributes and types …
//! offsets      … and how long each is, by dialect
//! IR           the operations
//! resource     large values …
//! offsets      … and how long each is, by dialect
//! string       every string
//! properties   the properties of operations (version 5 and later)
//! ```

use super::cursor::Cursor;
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// What files begin with.
pub(super) const MAGIC: &[u8; 4] = b"ML\xefR";

/// The newest version of the format that is known.
pub(super) const NEWEST: u64 = 6;

/// The versions in which the format changed.
pub(super) mod since {
    pub const DIALECT_VERSIONS: u64 = 1;
    pub const LAZY_REGIONS: u64 = 2;
    pub const USE_LIST_ORDERS: u64 = 3;
    pub const ELIDED_LOCATIONS: u64 = 4;
    pub const PROPERTIES: u64 = 5;
    pub const SPARSE_SEGMENT_SIZES: u64 = 6;
}

/// The sections, by number.
const SECTIONS: [&str; 9] = [
    "string",
    "dialect",
    "attribute and type",
    "attribute and type offset",
    "IR",
    "resource",
    "resource offset",
    "dialect version",
    "property",
];
pub(super) const STRING: usize = 0;
pub(super) const DIALECT: usize = 1;
pub(super) const ATTR_TYPE: usize = 2;
pub(super) const ATTR_TYPE_OFFSET: usize = 3;
pub(super) const IR: usize = 4;
const RESOURCE: usize = 5;
const RESOURCE_OFFSET: usize = 6;
const DIALECT_VERSIONS: usize = 7;
pub(super) const PROPERTIES: usize = 8;

/// An operation's name.
pub(super) struct OpName {
    /// `stablehlo.add`
    pub name: Arc<str>,
    /// Did the writer know the operation (and write its properties in its own encoding)?
    pub registered: bool,
}

/// One encoded attribute or type.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// Index of the dialect.
    pub dialect: usize,
    /// In the dialect's own encoding; else as text.
    pub custom: bool,
    pub data: Cursor<'a>,
}

/// A value outside of the IR: what `dense_resource<key>` names.
pub(super) struct Resource<'a> {
    pub key: &'a [u8],
    pub data: Cursor<'a>,
    /// 0: bytes, 1: a boolean, 2: a string.
    pub kind: u8,
}

/// A file, taken apart.
pub(super) struct Container<'a> {
    pub version: u64,
    /// Who wrote it: `StableHLO_v1.22.0`, `MLIR24.0.0git`.
    pub producer: &'a [u8],
    pub strings: Vec<&'a [u8]>,
    pub dialects: Vec<&'a str>,
    pub ops: Vec<OpName>,
    pub attrs: Vec<Entry<'a>>,
    pub types: Vec<Entry<'a>>,
    /// The resources of dialects, numbered as attributes refer to them.
    pub resources: Vec<Resource<'a>>,
    pub properties: Vec<Cursor<'a>>,
    pub ir: Cursor<'a>,
}

impl<'a> Container<'a> {
    pub fn read(mut at: Cursor<'a>) -> Result<Container<'a>> {
        if !at.rest().starts_with(MAGIC) {
            return Err(at.expected("the magic number `ML\\xefR`"));
        }
        at.bytes(4, "the magic number")?;
        let start = at.at();
        let version = at.varint("the version")?;
        if version > NEWEST {
            return Err(Diagnostic::unsupported(format!(
                "MLIR bytecode of version {version} is not supported; the newest known is version {NEWEST}"
            ))
            .at(super::cursor::span(start, at.at()))
            .help("write it at an older version (`desired_version` of `write_bytecode`)"));
        }
        let producer = at.c_string("the producer's name")?;
        let mut sections: [Option<Cursor>; SECTIONS.len()] = Default::default();
        while !at.is_empty() {
            let start = at.at();
            let (number, data) = at.section()?;
            let Some(slot) = sections.get_mut(usize::from(number)) else {
                return Err(at.error_at(start, format_args!("there is no section {number}")));
            };
            let name = SECTIONS[usize::from(number)];
            if slot.replace(data.named(name)).is_some() {
                return Err(at.error_at(start, format_args!("a second {name} section")));
            }
        }
        let required = |number: usize| {
            sections[number]
                .ok_or_else(|| at.error_at(at.at(), format_args!("expected a {} section", SECTIONS[number])))
        };
        let strings = strings(required(STRING)?)?;
        let (dialects, ops) = dialects(required(DIALECT)?, version, &strings)?;
        let (attrs, types) = entries(required(ATTR_TYPE_OFFSET)?, required(ATTR_TYPE)?, dialects.len())?;
        let resources = match (sections[RESOURCE_OFFSET], sections[RESOURCE]) {
            (Some(offsets), Some(data)) => resources(offsets, data, &strings, dialects.len())?,
            (None, None) => Vec::new(),
            (Some(_), None) => {
                return Err(required(RESOURCE).err().unwrap_or_else(|| at.expected("resources")));
            }
            (None, Some(data)) => {
                return Err(data.error_at(data.at(), "expected a resource offset section too"));
            }
        };
        let properties = match sections[PROPERTIES] {
            Some(data) if version >= since::PROPERTIES => properties(data)?,
            _ => Vec::new(),
        };
        let ir = required(IR)?;
        Ok(Container { version, producer, strings, dialects, ops, attrs, types, resources, properties, ir })
    }

    /// The producer, for messages.
    pub fn producer(&self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.producer)
    }
}

/// The lengths stand first, the last string's first; then the strings, each with a zero.
fn strings<'a>(mut at: Cursor<'a>) -> Result<Vec<&'a [u8]>> {
    let n = at.count("the number of strings")?;
    let mut lengths = Vec::with_capacity(n);
    for _ in 0..n {
        lengths.push(at.varint("the length of a string")?);
    }
    let mut strings = Vec::with_capacity(n);
    for &length in lengths.iter().rev() {
        let start = at.at();
        let text = at.bytes(length, "a string")?;
        match text.split_last() {
            Some((0, text)) => strings.push(text),
            _ => return Err(at.error_at(start, "expected a string that ends with a zero byte")),
        }
    }
    end(at)?;
    Ok(strings)
}

/// Nothing may follow.
fn end(at: Cursor) -> Result<()> {
    if at.is_empty() { Ok(()) } else { Err(at.expected("the end of the section")) }
}

fn string<'a>(at: &Cursor, strings: &[&'a [u8]], index: u64, start: usize) -> Result<&'a [u8]> {
    Ok(strings[at.check_index(index, strings.len(), start, "the string")?])
}

/// A string that names something: text.
fn name<'a>(at: &Cursor, strings: &[&'a [u8]], index: u64, start: usize) -> Result<&'a str> {
    let bytes = string(at, strings, index, start)?;
    std::str::from_utf8(bytes).map_err(|_| at.error_at(start, "the name is not UTF-8 text"))
}

type Dialects<'a> = (Vec<&'a str>, Vec<OpName>);

fn dialects<'a>(mut at: Cursor<'a>, version: u64, strings: &[&'a [u8]]) -> Result<Dialects<'a>> {
    let n = at.count("the number of dialects")?;
    let mut dialects = Vec::with_capacity(n);
    for _ in 0..n {
        let start = at.at();
        let index = if version >= since::DIALECT_VERSIONS {
            let (index, versioned) = at.varint_with_flag("the name of a dialect")?;
            if versioned {
                // Dialects put their own version here; their encodings tell themselves apart.
                let start = at.at();
                let (number, _) = at.section()?;
                if usize::from(number) != DIALECT_VERSIONS {
                    return Err(at.error_at(start, "expected the version of the dialect"));
                }
            }
            index
        } else {
            at.varint("the name of a dialect")?
        };
        dialects.push(name(&at, strings, index, start)?);
    }
    let mut ops = Vec::new();
    if version >= since::ELIDED_LOCATIONS {
        // How many follow; only of use to who allocates for them ahead.
        at.varint("the number of operation names")?;
    }
    while !at.is_empty() {
        let (dialect, count) = group(&mut at, dialects.len())?;
        for _ in 0..count {
            let start = at.at();
            let (index, registered) = if version >= since::PROPERTIES {
                at.varint_with_flag("the name of an operation")?
            } else {
                (at.varint("the name of an operation")?, true)
            };
            let op = name(&at, strings, index, start)?;
            ops.push(OpName { name: format!("{}.{op}", dialects[dialect]).into(), registered });
        }
    }
    Ok((dialects, ops))
}

/// The head of a group: a dialect, and how many of its things follow.
fn group(at: &mut Cursor, dialects: usize) -> Result<(usize, usize)> {
    let dialect = at.index(dialects, "the dialect")?;
    Ok((dialect, at.count("the number of a dialect's entries")?))
}

type Entries<'a> = (Vec<Entry<'a>>, Vec<Entry<'a>>);

fn entries<'a>(mut at: Cursor<'a>, mut data: Cursor<'a>, dialects: usize) -> Result<Entries<'a>> {
    let num_attrs = at.count("the number of attributes")?;
    let num_types = at.count("the number of types")?;
    let mut read = |n: usize| -> Result<Vec<Entry<'a>>> {
        let mut entries = Vec::with_capacity(n);
        while entries.len() < n {
            let start = at.at();
            let (dialect, count) = group(&mut at, dialects)?;
            if count > n - entries.len() {
                return Err(at.error_at(start, format_args!("more entries than the {n} announced")));
            }
            for _ in 0..count {
                let (size, custom) = at.varint_with_flag("the size of an entry")?;
                entries.push(Entry { dialect, custom, data: data.take(size, "an entry")? });
            }
        }
        Ok(entries)
    };
    let attrs = read(num_attrs)?;
    let types = read(num_types)?;
    end(at)?;
    Ok((attrs, types))
}

fn resources<'a>(
    mut at: Cursor<'a>,
    mut data: Cursor<'a>,
    strings: &[&'a [u8]],
    dialects: usize,
) -> Result<Vec<Resource<'a>>> {
    let mut group = |at: &mut Cursor<'a>| -> Result<Vec<Resource<'a>>> {
        let n = at.count("the number of resources")?;
        let mut group = Vec::with_capacity(n);
        for _ in 0..n {
            let start = at.at();
            let key = at.varint("the key of a resource")?;
            let key = string(at, strings, key, start)?;
            let size = at.varint("the size of a resource")?;
            let kind = at.byte("the kind of a resource")?;
            group.push(Resource { key, data: data.take(size, "a resource")?, kind });
        }
        Ok(group)
    };
    // Those of tools, which are nothing to a program.
    for _ in 0..at.count("the number of external resource groups")? {
        at.index(strings.len(), "the key of a resource group")?;
        group(&mut at)?;
    }
    let mut resources = Vec::new();
    while !at.is_empty() {
        at.index(dialects, "the dialect of resources")?;
        resources.append(&mut group(&mut at)?);
    }
    Ok(resources)
}

fn properties<'a>(mut at: Cursor<'a>) -> Result<Vec<Cursor<'a>>> {
    let n = at.count("the number of properties")?;
    let mut properties = Vec::with_capacity(n);
    for _ in 0..n {
        let size = at.varint("the size of properties")?;
        properties.push(at.take(size, "properties")?);
    }
    end(at)?;
    Ok(properties)
}
