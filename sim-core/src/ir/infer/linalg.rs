//! Sorting, top-k, Cholesky, triangular solve, Fourier transform.

use super::dims::{most_specific, same_element, show, with_dims};
use super::elementwise::same_dims;
use super::sig::{Inferred, Kinds, Sig, broken, is_scalar_pred, region_scalar, rule};
use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::op::FftType;
use crate::types::{Dim, Type};

pub(super) fn sort(s: &Sig, dim: i64) -> Result<Inferred> {
    s.region_count(1)?;
    rule!(!s.operands.is_empty(), "C1", "at least one input is needed");
    let inputs = s.tensors(0..s.operands.len(), 1, "inputs", Kinds::TENSOR)?;
    for x in &inputs[1..] {
        same_dims(inputs[0], x, "C3", "inputs[0]", "the other inputs")?;
    }
    let rank = inputs[0].rank() as i64;
    rule!((-rank..rank).contains(&dim), "C4", "dimension {dim} is not within -{rank}..{rank}");
    let comparator = s.region(0)?;
    rule!(
        comparator.args.len() == 2 * inputs.len(),
        "C5",
        "the comparator must take {} arguments, it takes {}",
        2 * inputs.len(),
        comparator.args.len()
    );
    for (i, arg) in comparator.args.iter().enumerate() {
        let arg = region_scalar(arg, "C5", "an argument of the comparator")?;
        rule!(
            same_element(arg, inputs[i / 2]),
            "C5",
            "argument {i} of the comparator is {arg}, but the input is {}",
            inputs[i / 2]
        );
    }
    rule!(
        matches!(&comparator.results[..], [t] if is_scalar_pred(t)),
        "C5",
        "the comparator must return one tensor<i1>"
    );
    Inferred::many(s.operands.iter().cloned(), "C2")
}

pub(super) fn top_k(s: &Sig, k: i64) -> Result<Inferred> {
    s.operand_count(1)?;
    s.region_count(0)?;
    let x = s.tensor(0, "operand", Kinds::PRED_INT.or(Kinds::FLOAT))?;
    let Some(&last) = x.dims.last() else {
        return Err(broken("top_k", format_args!("operand must have a dimension, got {x}")));
    };
    let enough = match last {
        Dim::Static(n) | Dim::Bounded(n) => k <= n,
        Dim::Dynamic => true,
    };
    rule!(
        k >= 0 && enough,
        "top_k",
        "k = {k} is not within 0..={}, the size of the last dimension",
        show(last)
    );
    let mut dims = x.dims.clone();
    let end = dims.len() - 1;
    dims[end] = Dim::Static(k);
    let values = with_dims(x, dims);
    let indices = values.with_element(ElementType::S32);
    Inferred::many([Type::from(values), Type::from(indices)], "top_k")
}

pub(super) fn cholesky(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    let a = s.tensor(0, "a", Kinds::FP.or(Kinds::QUANT))?;
    let n = a.rank();
    rule!(n >= 2, "C2", "a must be a matrix or a batch of them, got {a}");
    rule!(a.dims[n - 2].compatible(a.dims[n - 1]), "C3", "the matrices must be square, got {a}");
    Inferred::one(a.clone(), "C1")
}

pub(super) fn triangular_solve(s: &Sig, left_side: bool) -> Result<Inferred> {
    s.plain(2)?;
    let kinds = Kinds::FP.or(Kinds::QUANT);
    let (a, b) = (s.tensor(0, "a", kinds)?, s.tensor(1, "b", kinds)?);
    rule!(same_element(a, b), "C1", "a and b must have the same element type, got {a} and {b}");
    let n = a.rank();
    rule!(n >= 2 && n == b.rank(), "C2", "a and b must have the same rank of at least 2, got {a} and {b}");
    for i in 0..n - 2 {
        rule!(
            a.dims[i].compatible(b.dims[i]),
            "C3",
            "batch dimension {i} has size {} in a and {} in b",
            show(a.dims[i]),
            show(b.dims[i])
        );
    }
    rule!(a.dims[n - 2].compatible(a.dims[n - 1]), "C3", "the matrices of a must be square, got {a}");
    let shared = b.dims[if left_side { n - 2 } else { n - 1 }];
    rule!(
        a.dims[n - 1].compatible(shared),
        "C3",
        "a has matrices of size {}, but b has {} there",
        show(a.dims[n - 1]),
        show(shared)
    );
    Inferred::one(b.clone(), "C4")
}

pub(super) fn fft(s: &Sig, ty: FftType, length: &[i64]) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::FP)?;
    rule!(
        (1..=3).contains(&length.len()),
        "C3",
        "fft_length must have 1 to 3 elements, got {}",
        length.len()
    );
    rule!(length.iter().all(|&n| n >= 0), "C4", "fft_length must not be negative, got {length:?}");
    rule!(
        length.len() <= x.rank(),
        "C1",
        "fft_length has {} elements, but operand has rank {}",
        length.len(),
        x.rank()
    );
    let element = match ty {
        FftType::Fft | FftType::Ifft if x.element.is_complex() => Some(x.element),
        FftType::Rfft => x.element.complex_of(),
        FftType::Irfft if x.element.is_complex() => Some(x.element.real_part()),
        _ => None,
    };
    let Some(element) = element else {
        return Err(broken("C2", format_args!("{ty:?} does not take elements of {x}")));
    };
    let mut dims = x.dims.clone();
    let (first, end) = (x.rank() - length.len(), x.rank() - 1);
    let last = length[length.len() - 1];
    let half = if last == 0 { 0 } else { last / 2 + 1 };
    for (i, &n) in length.iter().enumerate() {
        // What the operand must have: the length itself, but half the spectrum of a real result.
        let (label, want) = match ty {
            FftType::Fft | FftType::Ifft => ("C4", None),
            FftType::Rfft => ("C4", Some(n)),
            FftType::Irfft if first + i == end => ("C5", Some(half)),
            FftType::Irfft => ("C4", Some(n)),
        };
        let Some(want) = want else { continue };
        let d = dims[first + i];
        rule!(
            d.compatible(Dim::Static(want)),
            label,
            "dimension {} of operand has size {}, but fft_length asks for {want}",
            first + i,
            show(d)
        );
        dims[first + i] = most_specific(d, Dim::Static(want));
    }
    match ty {
        FftType::Fft | FftType::Ifft => {}
        FftType::Rfft => dims[end] = Dim::Static(half),
        FftType::Irfft => dims[end] = Dim::Static(last),
    }
    Inferred::one(with_dims(x, dims).with_element(element), "C5")
}
