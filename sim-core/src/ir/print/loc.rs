//! Locations: `loc("file.py":10:4)`.

use super::text::{comma, string};
use crate::loc::{Loc, LocData};
use std::fmt::{self, Write};

/// `loc(…)`
pub(super) fn loc(f: &mut dyn Write, value: &Loc) -> fmt::Result {
    f.write_str("loc(")?;
    inner(f, value)?;
    f.write_char(')')
}

/// Recursive, as locations are; whoever builds them bounds their nesting.
fn inner(f: &mut dyn Write, value: &Loc) -> fmt::Result {
    let data = match value {
        Loc::Unknown => return f.write_str("unknown"),
        Loc::Known(data) => data,
    };
    match &**data {
        LocData::File { file, line, col, end } => {
            string(f, file)?;
            write!(f, ":{line}:{col}")?;
            match end {
                None => Ok(()),
                Some((end_line, end_col)) if end_line == line => write!(f, " to :{end_col}"),
                Some((end_line, end_col)) => write!(f, " to {end_line}:{end_col}"),
            }
        }
        LocData::Name { name, child } => {
            string(f, name)?;
            if child.is_unknown() {
                return Ok(());
            }
            f.write_char('(')?;
            inner(f, child)?;
            f.write_char(')')
        }
        LocData::CallSite { callee, caller } => {
            f.write_str("callsite(")?;
            inner(f, callee)?;
            f.write_str(" at ")?;
            inner(f, caller)?;
            f.write_char(')')
        }
        LocData::Fused { locs, metadata } => {
            f.write_str("fused")?;
            if let Some(metadata) = metadata {
                write!(f, "<{metadata}>")?;
            }
            f.write_char('[')?;
            comma(f, locs, inner)?;
            f.write_char(']')
        }
    }
}
