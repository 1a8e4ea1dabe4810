//! Constants as HLO writes them.

use crate::tensor::Tensor;

/// The value of a `constant` instruction, of its shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// In logical row-major order, whatever the shape's layout.
    Array(Tensor),
    Tuple(Vec<Literal>),
    Token,
    /// `{...}`: the dump left the values out.
    Elided,
}
