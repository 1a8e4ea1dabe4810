//! Where an operation comes from: the location that its module carries (the line of somebody's
//! Python, usually), and the place in the file that was read.

use std::fmt;
use std::sync::Arc;

/// Byte range in the source text or bytecode an operation was read from. `start == end == 0` when
/// the operation was built by a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// An MLIR location, shared cheaply. Compare by value with `==`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Loc {
    /// `loc(unknown)`, or no location at all.
    #[default]
    Unknown,
    /// Anything else.
    Known(Arc<LocData>),
}

/// The forms of a known location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocData {
    /// `loc("file.py":10:4)`, or with a range `loc("file.py":10:4 to 12:8)`.
    File { file: Arc<str>, line: u32, col: u32, end: Option<(u32, u32)> },
    /// `loc("name")` or `loc("name"(child))`.
    Name { name: Arc<str>, child: Loc },
    /// `loc(callsite(callee at caller))`.
    CallSite { callee: Loc, caller: Loc },
    /// `loc(fused<metadata>[a, b])`; the metadata is kept as its text.
    Fused { locs: Vec<Loc>, metadata: Option<Arc<str>> },
}

impl Loc {
    pub fn new(data: LocData) -> Loc {
        Loc::Known(Arc::new(data))
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Loc::Unknown)
    }

    /// The first file position in it, innermost callee first: what a user wants to see.
    pub fn file_line(&self) -> Option<(Arc<str>, u32, u32)> {
        // Iterative: locations come from files and may nest deeply.
        let mut stack = vec![self.clone()];
        while let Some(loc) = stack.pop() {
            let Loc::Known(data) = loc else { continue };
            match &*data {
                LocData::File { file, line, col, .. } => return Some((file.clone(), *line, *col)),
                LocData::Name { child, .. } => stack.push(child.clone()),
                LocData::CallSite { callee, caller } => {
                    stack.push(caller.clone());
                    stack.push(callee.clone());
                }
                LocData::Fused { locs, .. } => stack.extend(locs.iter().rev().cloned()),
            }
        }
        None
    }

    /// The outermost name in it: JAX puts the traced operation's path there.
    pub fn name(&self) -> Option<Arc<str>> {
        let mut stack = vec![self.clone()];
        while let Some(loc) = stack.pop() {
            let Loc::Known(data) = loc else { continue };
            match &*data {
                LocData::File { .. } => {}
                LocData::Name { name, .. } => return Some(name.clone()),
                LocData::CallSite { callee, caller } => {
                    stack.push(caller.clone());
                    stack.push(callee.clone());
                }
                LocData::Fused { locs, .. } => stack.extend(locs.iter().rev().cloned()),
            }
        }
        None
    }
}

/// What a diagnostic shows: `file:line:col (name)`, or as much of that as is known.
impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file_line(), self.name()) {
            (Some((file, line, col)), Some(name)) => write!(f, "{file}:{line}:{col} ({name})"),
            (Some((file, line, col)), None) => write!(f, "{file}:{line}:{col}"),
            (None, Some(name)) => write!(f, "{name}"),
            (None, None) => write!(f, "unknown location"),
        }
    }
}
