//! Types of the IR as shapes of HLO, row-major.

use sim_core::hlo::{ArrayShape, Layout, Shape};
use sim_core::types::Dim;
use sim_core::{Diagnostic, Result, TensorType, Type};
use std::sync::Arc;

pub fn shape(ty: &Type) -> Result<Arc<Shape>> {
    Ok(Arc::new(match ty {
        Type::Tensor(t) => Shape::Array(array(t)?),
        Type::Token => Shape::Token,
        Type::Tuple(parts) => Shape::Tuple(parts.iter().map(shape).collect::<Result<_>>()?),
        Type::Buffer(t) => Shape::Buffer(array(t)?),
        _ => return Err(Diagnostic::unsupported(format!("HLO has no values of type {ty}"))),
    }))
}

/// Row-major, as HLO without layouts means it.
pub fn array(t: &TensorType) -> Result<ArrayShape> {
    if t.quant.is_some() {
        return Err(Diagnostic::unsupported(format!(
            "HLO has no quantized types ({})",
            Type::from(t.clone())
        ))
        .help("lower them to integers first (`stablehlo-opt --stablehlo-legalize-quant-to-math`)"));
    }
    if t.dims.contains(&Dim::Dynamic) {
        return Err(Diagnostic::unsupported(format!(
            "HLO has no sizes without a bound ({})",
            Type::from(t.clone())
        ))
        .help("give the shapes of the inputs with `--shape`, so that they are known"));
    }
    let mut a = ArrayShape::new(t.element, t.dims.iter().copied());
    if a.rank() > 0 {
        a.layout = Some(Arc::new(Layout::row_major(a.rank())));
    }
    Ok(a)
}

/// Of known sizes.
pub fn of(element: sim_core::ElementType, dims: &[i64]) -> Result<Arc<Shape>> {
    Ok(Arc::new(Shape::Array(array(&TensorType::of(element, dims))?)))
}
