//! Where an operation comes from: the location that its module carries (the line of somebody's
//! Python, usually), and the place in the file that was read.

use std::collections::HashMap;
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

    /// At most `levels` levels of it, from the outside in; what lies deeper is unknown. Frames of a
    /// stack keep the innermost calls. Programs of hundreds of nested loops have locations as deep, which
    /// readers cut, since whatever walks a location may recurse.
    pub fn cut(&self, levels: u32) -> Loc {
        cut(self, levels, &mut HashMap::new())
    }
}

/// Parts that are shared stay shared.
fn cut(loc: &Loc, levels: u32, made: &mut HashMap<(*const LocData, u32), Loc>) -> Loc {
    let Loc::Known(data) = loc else { return Loc::Unknown };
    if levels == 0 {
        return Loc::Unknown;
    }
    let key = (Arc::as_ptr(data), levels);
    if let Some(loc) = made.get(&key) {
        return loc.clone();
    }
    let mut inner = |loc: &Loc| cut(loc, levels - 1, made);
    let new = match &**data {
        LocData::File { .. } => return loc.clone(),
        LocData::Name { name, child } => LocData::Name { name: name.clone(), child: inner(child) },
        LocData::CallSite { callee, caller } => {
            LocData::CallSite { callee: inner(callee), caller: inner(caller) }
        }
        LocData::Fused { locs, metadata } => {
            LocData::Fused { locs: locs.iter().map(inner).collect(), metadata: metadata.clone() }
        }
    };
    let new = Loc::new(new);
    made.insert(key, new.clone());
    new
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_the_outer_levels_and_what_is_shared() {
        let file = Loc::new(LocData::File { file: "a.py".into(), line: 1, col: 2, end: None });
        let mut web = file.clone();
        // Unfolded, 2^60 parts.
        for _ in 0..60 {
            web = Loc::new(LocData::Fused { locs: vec![web.clone(), web], metadata: None });
        }
        let cut = web.cut(20);
        let (mut at, mut depth) = (cut, 0);
        while let Loc::Known(data) = at {
            let LocData::Fused { locs, .. } = &*data else { panic!("{data:?}") };
            let (Loc::Known(a), Loc::Known(b)) = (&locs[0], &locs[1]) else { break };
            assert!(Arc::ptr_eq(a, b));
            (at, depth) = (locs[0].clone(), depth + 1);
        }
        assert_eq!(depth, 19);
        let frames = Loc::new(LocData::CallSite { callee: file.clone(), caller: file.clone() });
        assert_eq!(frames.cut(2), frames);
        assert_eq!(frames.cut(1), Loc::new(LocData::CallSite { callee: Loc::Unknown, caller: Loc::Unknown }));
        assert_eq!(file.cut(0), Loc::Unknown);
    }
}
