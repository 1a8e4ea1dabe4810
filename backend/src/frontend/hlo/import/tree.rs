//! Values of tuple shape, taken apart.

use sim_core::ir::ValueId;

/// The ir values behind one HLO value.
#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(ValueId),
    Tuple(Vec<Tree>),
}

impl Tree {
    /// The values in order.
    pub fn leaves(&self, out: &mut Vec<ValueId>) {
        match self {
            Tree::Leaf(v) => out.push(*v),
            Tree::Tuple(items) => items.iter().for_each(|t| t.leaves(out)),
        }
    }

    pub fn as_leaf(&self) -> Option<ValueId> {
        match self {
            Tree::Leaf(v) => Some(*v),
            Tree::Tuple(_) => None,
        }
    }

    pub fn as_tuple(&self) -> Option<&[Tree]> {
        match self {
            Tree::Tuple(items) => Some(items),
            Tree::Leaf(_) => None,
        }
    }

    /// The element at a path into nested tuples.
    pub fn at(&self, path: &[i64]) -> Option<&Tree> {
        path.iter().try_fold(self, |t, &i| t.as_tuple()?.get(usize::try_from(i).ok()?))
    }
}
