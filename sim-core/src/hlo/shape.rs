//! Shapes with layouts: `bf16[8,<=16,128]{2,1,0:T(8,128)(2,1)S(1)}`.

use crate::dtype::ElementType;
use crate::types::{Dim, Dims};
use smallvec::SmallVec;
use std::sync::Arc;

/// The type of an instruction's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Array(ArrayShape),
    Tuple(Vec<Arc<Shape>>),
    /// `token[]`: orders side effects.
    Token,
    /// `opaque[]`
    Opaque,
    /// `b(f32[4])`: a buffer that is written in place.
    Buffer(ArrayShape),
}

/// A dense array, with its place in memory where the text gives one.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayShape {
    pub element: ElementType,
    /// `Bounded` is HLO's `<=8`, `Dynamic` its `?`.
    pub dims: Dims,
    /// `None`: not given, which means row-major.
    pub layout: Option<Arc<Layout>>,
}

/// How an array lies in memory. Everything after `minor_to_major` is absent in the simplest case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Dimensions from the fastest varying to the slowest.
    pub minor_to_major: SmallVec<[i64; 6]>,
    /// `D(D,C)`: one letter per dimension as written (`D` dense, `C` compressed, `S` singleton), with
    /// the marks `+` (not unique) and `~` (not ordered). Empty: all dense.
    pub dim_level_types: Vec<Arc<str>>,
    /// `T(8,128)(2,1)`: tiles, outermost first.
    pub tiles: SmallVec<[Tile; 2]>,
    /// `L(128)`: the buffer's size is a multiple of this many elements. 0 and 1: no padding.
    pub tail_padding_alignment: i64,
    /// `#(u32)`, `*(u32)`: the types of a sparse array's indices and pointers.
    pub index_type: Option<ElementType>,
    pub pointer_type: Option<ElementType>,
    /// `E(4)`: bits an element takes, when that is not its type's width. 0: its type's width.
    pub element_size_in_bits: i64,
    /// `S(1)`: 0 is HBM, 1 VMEM, 5 the host, …
    pub memory_space: i64,
    /// `SC(0:1,2)`: dimension and the indices at which it is split.
    pub splits: Vec<(i64, Vec<i64>)>,
    /// `M(4)`: bytes before the data that hold its dynamic sizes.
    pub dynamic_shape_metadata_prefix_bytes: i64,
    /// `P(…)`: the physical shape, where it is stated.
    pub physical_shape: Option<Box<Shape>>,
}

/// `(8,128)`. A size of [`Tile::COMBINE`] is written `*`: the dimension merges with the next more minor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tile(pub SmallVec<[i64; 2]>);

impl Tile {
    /// XLA's `Tile::kCombineDimension`.
    pub const COMBINE: i64 = i64::MIN;
}

impl Layout {
    /// Row-major: the last dimension varies fastest.
    pub fn row_major(rank: usize) -> Layout {
        Layout { minor_to_major: (0..rank as i64).rev().collect(), ..Layout::default() }
    }

    /// Neither tiles nor a memory space nor anything else: the order of the dimensions says all.
    pub fn is_plain(&self) -> bool {
        *self == Layout { minor_to_major: self.minor_to_major.clone(), ..Layout::default() }
    }
}

impl ArrayShape {
    pub fn new(element: ElementType, dims: impl IntoIterator<Item = Dim>) -> ArrayShape {
        ArrayShape { element, dims: dims.into_iter().collect(), layout: None }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }
}

impl Shape {
    pub fn as_array(&self) -> Option<&ArrayShape> {
        match self {
            Shape::Array(a) | Shape::Buffer(a) => Some(a),
            _ => None,
        }
    }

    pub fn as_tuple(&self) -> Option<&[Arc<Shape>]> {
        match self {
            Shape::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The same up to layouts: what operands and parameters must agree on.
    pub fn same_type(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Array(a), Shape::Array(b)) | (Shape::Buffer(a), Shape::Buffer(b)) => {
                a.element == b.element && a.dims == b.dims
            }
            (Shape::Tuple(a), Shape::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_type(b))
            }
            (a, b) => a == b,
        }
    }
}
