//! Orders of dimensions.

use crate::time::arrays::sizes;
use sim_core::hlo::{ArrayShape, Layout};
use smallvec::SmallVec;

/// Dimensions from the most minor to the most major.
pub type Order = SmallVec<[i64; 6]>;

/// As libtpu lays an array when nobody asks.
pub fn default(array: &ArrayShape) -> Order {
    hbm::layout::default_layout(array.element, &sizes(array)).minor_to_major
}

/// With tiles.
pub fn layout(array: &ArrayShape, order: &Order) -> Layout {
    hbm::layout::tiled(array.element, &sizes(array), order.clone())
}

/// Do both mean the same memory? Dimensions of one are nowhere, unless they are the two minor ones, whose tiles they shape.
pub fn same(a: &Order, b: &Order, array: &ArrayShape) -> bool {
    if a == b {
        return true;
    }
    let sizes = sizes(array);
    let big = |o: &Order| -> Order {
        o.iter().copied().filter(|&d| sizes.get(d as usize).is_some_and(|&n| n > 1)).collect()
    };
    big(a) == big(b)
        && layout(array, a).tiles == layout(array, b).tiles
        && minor(a, &sizes) == minor(b, &sizes)
}

/// Sizes of the two minor dimensions.
fn minor(order: &Order, sizes: &[usize]) -> SmallVec<[usize; 2]> {
    order.iter().take(2).filter_map(|&d| sizes.get(d as usize).copied()).collect()
}

/// What lies as `order`, without the dimensions that are not in `kept`, which are numbered anew.
pub fn restricted(order: &Order, kept: &[i64]) -> Order {
    order.iter().filter_map(|d| kept.iter().position(|k| k == d)).map(|d| d as i64).collect()
}

/// The order of a transpose's result: its dimension `i` is the operand's `permutation[i]`.
pub fn transposed(order: &Order, permutation: &[i64]) -> Order {
    order.iter().filter_map(|d| permutation.iter().position(|p| p == d)).map(|d| d as i64).collect()
}

/// The order of a transpose's operand.
pub fn untransposed(order: &Order, permutation: &[i64]) -> Order {
    order.iter().filter_map(|&d| permutation.get(d as usize).copied()).collect()
}
