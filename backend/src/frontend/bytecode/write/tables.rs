//! The tables of a file being written: strings, dialects, names of operations, attributes, types,
//! properties. Each entry is there once; an entry's number is known as soon as it is made, since those
//! that it refers to were made before it.

use super::bytes::Bytes;
use super::constant::Constant;
use crate::frontend::vhlo::Version;
use std::collections::HashMap;
use std::sync::Arc;

/// An attribute or a type that has been written: its number, and the first version of StableHLO that
/// has it and everything that it is made of.
#[derive(Clone, Copy)]
pub struct Ref {
    pub number: u64,
    pub since: Version,
}

/// An attribute or a type while it is being put together.
pub struct Draft {
    pub bytes: Bytes,
    pub since: Version,
}

impl Draft {
    /// Begins with its code.
    pub fn new(code: u64) -> Draft {
        let mut draft = Draft { bytes: Bytes::default(), since: Version::OLDEST };
        draft.bytes.varint(code);
        draft
    }

    /// One of VHLO, which has it since a certain version.
    pub fn since(code: u64, since: Version) -> Draft {
        Draft { since, ..Draft::new(code) }
    }

    pub fn refer(&mut self, to: Ref) {
        self.bytes.varint(to.number);
        self.since = self.since.max(to.since);
    }

    pub fn refer_all(&mut self, to: &[Ref]) {
        self.bytes.count(to.len());
        to.iter().for_each(|&r| self.refer(r));
    }
}

/// What an entry holds.
pub enum Data {
    Bytes(Arc<[u8]>),
    /// What stands before the elements, and they.
    Constant(Vec<u8>, Constant),
}

/// An encoded attribute or type.
pub struct Entry {
    pub dialect: u64,
    /// In the dialect's own encoding; else text.
    pub custom: bool,
    pub data: Data,
    since: Version,
}

impl Entry {
    pub fn size(&self) -> u64 {
        match &self.data {
            Data::Bytes(bytes) => bytes.len() as u64,
            Data::Constant(head, constant) => head.len() as u64 + constant.size(),
        }
    }
}

/// Attributes, or types.
#[derive(Default)]
pub struct Entries {
    numbers: HashMap<(u64, bool, Arc<[u8]>), usize>,
    pub all: Vec<Entry>,
}

impl Entries {
    pub fn add(&mut self, dialect: u64, custom: bool, draft: Draft) -> Ref {
        let data: Arc<[u8]> = draft.bytes.0.into();
        let next = self.all.len();
        let number = *self.numbers.entry((dialect, custom, data.clone())).or_insert(next);
        if number == next {
            self.all.push(Entry { dialect, custom, data: Data::Bytes(data), since: draft.since });
        }
        Ref { number: number as u64, since: self.all[number].since }
    }

    /// One with elements that are not copied; it is not compared with others.
    pub fn add_constant(&mut self, dialect: u64, draft: Draft, constant: Constant) -> Ref {
        let Draft { bytes, since } = draft;
        self.all.push(Entry { dialect, custom: true, data: Data::Constant(bytes.0, constant), since });
        Ref { number: self.all.len() as u64 - 1, since }
    }
}

/// Pieces of bytes, each once.
#[derive(Default)]
pub struct Interned {
    numbers: HashMap<Arc<[u8]>, usize>,
    pub all: Vec<Arc<[u8]>>,
}

impl Interned {
    /// The number of one that is there; else zero.
    pub fn get(&self, bytes: &[u8]) -> u64 {
        self.numbers.get(bytes).copied().unwrap_or_default() as u64
    }

    pub fn add(&mut self, bytes: &[u8]) -> u64 {
        if let Some(&number) = self.numbers.get(bytes) {
            return number as u64;
        }
        let bytes: Arc<[u8]> = bytes.into();
        self.numbers.insert(bytes.clone(), self.all.len());
        self.all.push(bytes);
        self.all.len() as u64 - 1
    }
}

/// The name of an operation.
pub struct OpName {
    pub dialect: u64,
    /// A string.
    pub name: u64,
    pub registered: bool,
}

/// All tables.
#[derive(Default)]
pub struct Tables {
    pub strings: Interned,
    pub dialects: Interned,
    op_numbers: HashMap<Arc<str>, u64>,
    pub ops: Vec<OpName>,
    pub attrs: Entries,
    pub types: Entries,
    pub properties: Interned,
}

impl Tables {
    pub fn dialect(&mut self, name: &str) -> u64 {
        self.strings.add(name.as_bytes());
        self.dialects.add(name.as_bytes())
    }

    /// The number of an operation's full name. `registered`: do readers know it?
    pub fn op(&mut self, full: &str, registered: bool) -> u64 {
        if let Some(&number) = self.op_numbers.get(full) {
            return number;
        }
        let (dialect, name) = full.split_once('.').unwrap_or(("builtin", full));
        let op =
            OpName { dialect: self.dialect(dialect), name: self.strings.add(name.as_bytes()), registered };
        let number = self.ops.len() as u64;
        self.ops.push(op);
        self.op_numbers.insert(full.into(), number);
        number
    }
}
