//! Arrays as they lie: bytes, padding, registers, memory.

use sim_core::ElementType;
use sim_core::hlo::{ArrayShape, Layout, Shape};
use smallvec::SmallVec;

/// A memory that arrays lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Hbm,
    Vmem,
    /// Between the two, on chips that have it.
    Cmem,
    /// Scalars, flags and what scalar code reads.
    Scalar,
    Host,
}

/// Static sizes; a bounded dimension counts as its bound, an unknown one as nothing.
pub fn sizes(array: &ArrayShape) -> SmallVec<[usize; 6]> {
    let size = |d: &sim_core::types::Dim| match *d {
        sim_core::types::Dim::Static(n) | sim_core::types::Dim::Bounded(n) => usize::try_from(n).unwrap_or(0),
        sim_core::types::Dim::Dynamic => 0,
    };
    array.dims.iter().map(size).collect()
}

pub fn memory(array: &ArrayShape) -> Memory {
    match array.layout.as_ref().map_or(0, |l| l.memory_space) {
        0 => Memory::Hbm,
        1 => Memory::Vmem,
        3 => Memory::Cmem,
        5 => Memory::Host,
        _ => Memory::Scalar,
    }
}

/// Bytes in memory, padding included.
pub fn bytes(array: &ArrayShape) -> u64 {
    bytes_of(array.element, &sizes(array), array.layout.as_deref())
}

/// As [`bytes`], of a part of these sizes that lies as the whole.
pub fn bytes_of(element: ElementType, sizes: &[usize], layout: Option<&Layout>) -> u64 {
    match layout {
        Some(layout) if layout.minor_to_major.len() == sizes.len() => {
            hbm::layout::device_bytes(element, sizes, layout)
        }
        _ => hbm::layout::device_bytes(element, sizes, &hbm::layout::default_layout(element, sizes)),
    }
}

/// Bytes of the values alone.
pub fn dense_bytes(array: &ArrayShape) -> u64 {
    let elements = sizes(array).iter().fold(1u128, |n, &d| n.saturating_mul(d as u128));
    u64::try_from(elements.saturating_mul(array.element.bits().into()).div_ceil(8)).unwrap_or(u64::MAX)
}

pub fn elements(array: &ArrayShape) -> f64 {
    sizes(array).iter().fold(1.0, |n, &d| n * d as f64)
}

/// Registers of 1,024 values of 32 bits that hold the array unpacked. Scalars take none: they are the scalar unit's.
pub fn registers(array: &ArrayShape) -> f64 {
    if array.dims.is_empty() {
        return 0.0;
    }
    let bits = match array.element {
        ElementType::Pred => 8.0,
        e => f64::from(e.bits().max(1)),
    };
    (bytes(array) as f64 * 8.0 / bits / 1024.0).ceil()
}

/// The arrays of a shape, tuples taken apart.
pub fn flatten<'a>(shape: &'a Shape, out: &mut SmallVec<[&'a ArrayShape; 4]>) {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => out.push(array),
        Shape::Tuple(items) => items.iter().for_each(|item| flatten(item, out)),
        Shape::Token | Shape::Opaque => {}
    }
}

pub fn arrays(shape: &Shape) -> SmallVec<[&ArrayShape; 4]> {
    let mut out = SmallVec::new();
    flatten(shape, &mut out);
    out
}

/// Sizes from the most major to the most minor dimension, with the logical dimension of each.
pub fn physical(array: &ArrayShape) -> SmallVec<[(usize, usize); 6]> {
    let sizes = sizes(array);
    match array.layout.as_ref().filter(|l| l.minor_to_major.len() == sizes.len()) {
        Some(layout) => layout
            .minor_to_major
            .iter()
            .rev()
            .filter_map(|&d| usize::try_from(d).ok().filter(|&d| d < sizes.len()).map(|d| (d, sizes[d])))
            .collect(),
        None => sizes.iter().copied().enumerate().collect(),
    }
}

/// Bytes of one tile of the layout, as far as it lies together.
pub fn tile_row(array: &ArrayShape) -> u64 {
    let tile = array.layout.as_ref().and_then(|l| l.tiles.first());
    let values =
        tile.map_or(1, |t| t.0.iter().fold(1u64, |n, &d| n.saturating_mul(u64::try_from(d).unwrap_or(1))));
    values.saturating_mul(array.element.bits().max(1).into()) / 8
}

/// Do both lie in memory in one order, up to dimensions of one?
pub fn same_order(a: &ArrayShape, b: &ArrayShape) -> bool {
    let order = |array| {
        physical(array).into_iter().filter(|&(_, n)| n > 1).map(|(_, n)| n).collect::<SmallVec<[_; 6]>>()
    };
    let tiles = |array: &ArrayShape| array.layout.as_ref().and_then(|l| l.tiles.first().cloned());
    let dims = |array| {
        physical(array).into_iter().filter(|&(_, n)| n > 1).map(|(d, _)| d).collect::<SmallVec<[_; 6]>>()
    };
    order(a) == order(b) && (a.rank() != b.rank() || dims(a) == dims(b)) && tiles(a) == tiles(b)
}
