//! The sections of a file, in order: the inverse of [`container`](super::super::container).

use super::bytes::Bytes;
use super::tables::{Data, Entries, Tables};
use crate::frontend::bytecode::container::{self, MAGIC, since};
use std::io::{self, Write};

/// Writes all of a file; `ir` is the content of its IR section.
pub fn write(
    tables: &Tables,
    version: u64,
    producer: &str,
    ir: &[u8],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut head = Bytes::default();
    head.0.extend(MAGIC);
    head.varint(version);
    head.c_string(producer.as_bytes());
    head.section(container::DIALECT, &dialects(tables, version));
    let all = [&tables.attrs, &tables.types];
    let size = all.iter().flat_map(|entries| &entries.all).map(|entry| entry.size()).sum();
    head.section_head(container::ATTR_TYPE, size);
    out.write_all(&head.0)?;
    // Small entries are gathered, large constants go straight out.
    let mut gathered = Vec::new();
    for entry in all.iter().flat_map(|entries| &entries.all) {
        match &entry.data {
            Data::Bytes(bytes) => gathered.extend_from_slice(bytes),
            Data::Constant(head, constant) => {
                gathered.extend_from_slice(head);
                out.write_all(&gathered)?;
                gathered.clear();
                constant.write(out)?;
            }
        }
    }
    out.write_all(&gathered)?;
    let mut tail = Bytes::default();
    tail.section(container::ATTR_TYPE_OFFSET, &offsets(all));
    tail.section(container::IR, ir);
    tail.section(container::STRING, &strings(tables));
    if version >= since::PROPERTIES {
        tail.section(container::PROPERTIES, &properties(tables));
    }
    out.write_all(&tail.0)?;
    out.flush()
}

/// Runs of things of one dialect: the dialect and how many there are stand before each.
fn runs<T>(bytes: &mut Bytes, all: &[T], dialect: impl Fn(&T) -> u64, mut each: impl FnMut(&mut Bytes, &T)) {
    for run in all.chunk_by(|a, b| dialect(a) == dialect(b)) {
        bytes.varint(dialect(&run[0]));
        bytes.count(run.len());
        run.iter().for_each(|item| each(bytes, item));
    }
}

fn dialects(tables: &Tables, version: u64) -> Vec<u8> {
    let mut bytes = Bytes::default();
    bytes.count(tables.dialects.all.len());
    for name in &tables.dialects.all {
        // Every name of a dialect is a string.
        let name = tables.strings.get(name);
        if version >= since::DIALECT_VERSIONS {
            bytes.with_flag(name, false);
        } else {
            bytes.varint(name);
        }
    }
    if version >= since::ELIDED_LOCATIONS {
        bytes.count(tables.ops.len());
    }
    runs(
        &mut bytes,
        &tables.ops,
        |op| op.dialect,
        |bytes, op| {
            if version >= since::PROPERTIES {
                bytes.with_flag(op.name, op.registered);
            } else {
                bytes.varint(op.name);
            }
        },
    );
    bytes.0
}

fn offsets(all: [&Entries; 2]) -> Vec<u8> {
    let mut bytes = Bytes::default();
    all.iter().for_each(|entries| bytes.count(entries.all.len()));
    for entries in all {
        runs(
            &mut bytes,
            &entries.all,
            |entry| entry.dialect,
            |bytes, entry| bytes.with_flag(entry.size(), entry.custom),
        );
    }
    bytes.0
}

/// The lengths, the last string's first; then the strings.
fn strings(tables: &Tables) -> Vec<u8> {
    let mut bytes = Bytes::default();
    let all = &tables.strings.all;
    bytes.count(all.len());
    all.iter().rev().for_each(|text| bytes.count(text.len() + 1));
    all.iter().for_each(|text| bytes.c_string(text));
    bytes.0
}

fn properties(tables: &Tables) -> Vec<u8> {
    let mut bytes = Bytes::default();
    bytes.count(tables.properties.all.len());
    tables.properties.all.iter().for_each(|data| bytes.blob(data));
    bytes.0
}
