//! Shapes of HLO as types of the IR.

use super::tree::Tree;
use sim_core::hlo::{ArrayShape, Shape};
use sim_core::ir::ValueId;
use sim_core::{Diagnostic, Result, TensorType, Type};

pub fn tensor(a: &ArrayShape) -> TensorType {
    TensorType::new(a.element, a.dims.iter().copied())
}

/// The type of a value that is no tuple.
pub fn leaf(shape: &Shape) -> Result<Type> {
    match shape {
        Shape::Array(a) | Shape::Buffer(a) => Ok(tensor(a).into()),
        Shape::Token => Ok(Type::Token),
        Shape::Tuple(_) => Err(Diagnostic::invalid("a tuple where an array belongs")),
        Shape::Opaque => {
            Err(Diagnostic::unsupported("values of shape opaque[], whose contents only their backend knows"))
        }
    }
}

/// The types of a shape's leaves, in order.
pub fn leaves(shape: &Shape, out: &mut Vec<Type>) -> Result<()> {
    match shape {
        Shape::Tuple(items) => items.iter().try_for_each(|s| leaves(s, out)),
        _ => {
            out.push(leaf(shape)?);
            Ok(())
        }
    }
}

/// Values in the structure of a shape.
pub fn tree(shape: &Shape, values: &mut impl Iterator<Item = ValueId>) -> Result<Tree> {
    match shape {
        Shape::Tuple(items) => items.iter().map(|s| tree(s, values)).collect::<Result<_>>().map(Tree::Tuple),
        _ => values
            .next()
            .map(Tree::Leaf)
            .ok_or_else(|| Diagnostic::invalid("fewer values than the shape has")),
    }
}
