//! Modules as MLIR bytecode: portable artifacts of any version of StableHLO (VHLO), and bytecode that
//! holds StableHLO, CHLO, `func` and Shardy directly.
//!
//! | file | what |
//! |---|---|
//! | `bytes` | numbers, sections |
//! | `tables` | strings, names, attributes and types, each once |
//! | `builtin`, `constant`, `hlo`, `vhlo` | attributes and types in their dialects' encodings |
//! | `ops` | operations but for their regions |
//! | `module`, `func` | modules, functions, regions |
//! | `file` | the sections, in order |
//!
//! A file depends on the module alone: the same module gives the same bytes. Constants are not copied
//! but written from where they are, after everything else is known.

mod builtin;
mod bytes;
mod constant;
mod file;
mod func;
mod hlo;
mod module;
mod ops;
mod tables;
mod vhlo;

use super::container;
use crate::frontend::vhlo::Version;
use sim_core::Result;
use sim_core::ir::Module;
use sim_core::ir::attr::Dense;
use sim_core::loc::LocData;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;
use tables::{Ref, Tables};

/// How deep attributes, types and locations may nest: what the reader takes.
const MAX_HEIGHT: u32 = 255;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A portable artifact: VHLO of a version of StableHLO. Operations and attributes of other dialects
    /// (Shardy, CHLO) stay what they are beside it, with casts between.
    Portable(Version),
    /// The dialects of the module themselves, in the newest format.
    Direct,
}

/// Whose encoding an attribute or a type is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum World {
    /// MLIR's own, and those of StableHLO and of others.
    Builtin,
    /// Likewise, but with CHLO's enumerations.
    Chlo,
    Vhlo,
}

/// A file being put together.
struct Writer {
    form: Form,
    /// Version of the format.
    version: u64,
    tables: Tables,
    /// Locations that are done, by where they are in memory (and are kept, so that it stays theirs).
    locs: HashMap<usize, (Arc<LocData>, Ref)>,
    /// Large constants that are done, by where they are and by their types.
    constants: HashMap<(usize, Vec<u8>), (Arc<Dense>, Ref)>,
    /// Nesting of what is being encoded.
    height: u32,
}

impl Writer {
    /// The version that the file is written for; `None` if it is not of VHLO.
    fn target(&self) -> Option<Version> {
        match self.form {
            Form::Portable(version) => Some(version),
            Form::Direct => None,
        }
    }

    /// May locations be ranges?
    fn has_ranges(&self) -> bool {
        self.target().is_none_or(|version| version >= Version::new(1, 9))
    }
}

/// A module as bytecode, complete but for the copy of its constants.
pub struct Encoded {
    tables: Tables,
    version: u64,
    producer: String,
    ir: Vec<u8>,
}

impl Encoded {
    /// Writes the file. Large constants go to `out` from the module's own memory.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        file::write(&self.tables, self.version, &self.producer, &self.ir, out)
    }

    /// The file in memory.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write(&mut bytes);
        bytes
    }
}

/// A module as bytecode.
///
/// # Errors
/// Unsupported: the version of StableHLO cannot express something, with the operation, its location
/// and the first version that can. Invalid: there is no such version.
pub fn encode(module: &Module, form: Form) -> Result<Encoded> {
    match form {
        Form::Portable(version) => {
            version.check()?;
            attempt(module, form).map_err(|e| match first_version(module, version) {
                Some(first) => e.note(format!("the whole program can be written for StableHLO {first}")),
                None => e,
            })
        }
        Form::Direct => attempt(module, form),
    }
}

/// The first version after `than` that can express the whole program, if one can.
fn first_version(module: &Module, than: Version) -> Option<Version> {
    let can = |version: &Version| attempt(module, Form::Portable(*version)).is_ok();
    // What the newest cannot express, none can.
    if !can(&Version::NEWEST) {
        return None;
    }
    Version::all().filter(|version| *version > than).find(can)
}

fn attempt(module: &Module, form: Form) -> Result<Encoded> {
    let (version, producer) = match form {
        Form::Portable(version) => (version.format(), format!("StableHLO_v{version}")),
        Form::Direct => (container::NEWEST, format!("tpusim {}", env!("CARGO_PKG_VERSION"))),
    };
    let mut writer = Writer {
        form,
        version,
        tables: Tables::default(),
        locs: HashMap::new(),
        constants: HashMap::new(),
        height: 0,
    };
    let ir = writer.module_file(module)?;
    Ok(Encoded { tables: writer.tables, version, producer, ir })
}
