//! Locations as `metadata`.

use sim_core::Loc;
use sim_core::hlo::Metadata;

/// `op_name` is the outermost name, the source the first file position; `None` where neither is known.
pub fn of(loc: &Loc) -> Option<Box<Metadata>> {
    let (name, place) = (loc.name(), loc.file_line());
    if name.is_none() && place.is_none() {
        return None;
    }
    let mut m = Metadata { op_name: name, ..Metadata::default() };
    if let Some((file, line, column)) = place {
        m.source_file = Some(file);
        m.source_line = i64::from(line);
        m.source_column = i64::from(column);
    }
    Some(Box::new(m))
}
