//! Shapes and layouts as text.

use super::index_comment;
use crate::hlo::shape::{ArrayShape, Layout, Shape, Tile};
use crate::types::Dim;
use std::fmt::{self, Write};

/// `layouts`: with them, the row-major one where none is given, as XLA does for instructions.
pub fn write(f: &mut String, shape: &Shape, layouts: bool) -> fmt::Result {
    match shape {
        Shape::Token => f.write_str("token[]"),
        Shape::Opaque => f.write_str("opaque[]"),
        Shape::Array(a) => array(f, a, layouts),
        Shape::Buffer(a) => {
            f.push_str("b(");
            array(f, a, layouts)?;
            f.push(')');
            Ok(())
        }
        Shape::Tuple(items) => {
            f.push('(');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    f.push_str(", ");
                }
                index_comment(f, i)?;
                write(f, item, layouts)?;
            }
            f.push(')');
            Ok(())
        }
    }
}

fn array(f: &mut String, a: &ArrayShape, layouts: bool) -> fmt::Result {
    f.push_str(a.element.hlo_name());
    f.push('[');
    for (i, d) in a.dims.iter().enumerate() {
        if i > 0 {
            f.push(',');
        }
        match d {
            Dim::Static(n) => write!(f, "{n}")?,
            Dim::Dynamic => f.push('?'),
            Dim::Bounded(n) => write!(f, "<={n}")?,
        }
    }
    f.push(']');
    if !layouts {
        return Ok(());
    }
    match &a.layout {
        Some(l) => layout(f, l),
        None if a.dims.is_empty() => Ok(()),
        None => layout(f, &Layout::row_major(a.rank())),
    }
}

pub fn layout(f: &mut String, l: &Layout) -> fmt::Result {
    if l.minor_to_major.is_empty() && l.is_plain() {
        return Ok(()); // A scalar's layout says nothing.
    }
    f.push('{');
    list(f, &l.minor_to_major)?;
    let start = f.len();
    if !l.dim_level_types.is_empty() {
        write!(f, "D({})", l.dim_level_types.join(","))?;
    }
    for (i, tile) in l.tiles.iter().enumerate() {
        if i == 0 {
            f.push('T');
        }
        write_tile(f, tile)?;
    }
    if l.tail_padding_alignment > 1 {
        write!(f, "L({})", l.tail_padding_alignment)?;
    }
    if let Some(e) = l.index_type {
        write!(f, "#({})", e.hlo_name())?;
    }
    if let Some(e) = l.pointer_type {
        write!(f, "*({})", e.hlo_name())?;
    }
    if l.element_size_in_bits != 0 {
        write!(f, "E({})", l.element_size_in_bits)?;
    }
    if l.memory_space != 0 {
        write!(f, "S({})", l.memory_space)?;
    }
    if !l.splits.is_empty() {
        f.push_str("SC");
        for (dim, at) in &l.splits {
            write!(f, "({dim}:")?;
            list(f, at)?;
            f.push(')');
        }
    }
    if let Some(p) = &l.physical_shape {
        f.push_str("P(");
        write(f, p, true)?;
        f.push(')');
    }
    if l.dynamic_shape_metadata_prefix_bytes > 0 {
        write!(f, "M({})", l.dynamic_shape_metadata_prefix_bytes)?;
    }
    if f.len() > start {
        f.insert(start, ':');
    }
    f.push('}');
    Ok(())
}

fn write_tile(f: &mut String, tile: &Tile) -> fmt::Result {
    f.push('(');
    for (i, &n) in tile.0.iter().enumerate() {
        if i > 0 {
            f.push(',');
        }
        match n {
            Tile::COMBINE => f.push('*'),
            n => write!(f, "{n}")?,
        }
    }
    f.push(')');
    Ok(())
}

pub fn list(f: &mut String, values: &[i64]) -> fmt::Result {
    for (i, v) in values.iter().enumerate() {
        if i > 0 {
            f.push(',');
        }
        write!(f, "{v}")?;
    }
    Ok(())
}
