//! Constants: `{ { 1, 2 }, { 3, 4 } }`, floats with as few digits as read back exactly.

use super::number::{general, round_trip};
use crate::dtype::{
    ElementType as E, F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ,
    F8E5M2, F8E5M2FNUZ, F8E8M0FNU, SmallFloat,
};
use crate::hlo::literal::Literal;
use crate::tensor::Tensor;
use half::{bf16, f16};
use num_complex::Complex;
use std::fmt::{self, Write};

pub fn write(f: &mut String, literal: &Literal) -> fmt::Result {
    match literal {
        Literal::Array(t) => tensor(f, t),
        Literal::Elided => f.write_str("{...}"),
        // What XLA prints, and does not read.
        Literal::Token => f.write_str("token"),
        Literal::Tuple(items) => {
            f.push_str("( ");
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    f.push_str(", ");
                }
                write(f, item)?;
            }
            f.push_str(" )");
            Ok(())
        }
    }
}

fn tensor(f: &mut String, t: &Tensor) -> fmt::Result {
    match t.element() {
        // Words for one, digits for many: XLA's habit.
        E::Pred if t.rank() == 0 => each(f, t, |f, &v: &u8| write!(f, "{}", v != 0)),
        E::Pred => each(f, t, |f, &v: &u8| write!(f, "{}", u8::from(v != 0))),
        E::S2 | E::S4 | E::S8 => each(f, t, |f, v: &i8| write!(f, "{v}")),
        E::S16 => each(f, t, |f, v: &i16| write!(f, "{v}")),
        E::S32 => each(f, t, |f, v: &i32| write!(f, "{v}")),
        E::S64 | E::Index => each(f, t, |f, v: &i64| write!(f, "{v}")),
        E::U2 | E::U4 | E::U8 => each(f, t, |f, v: &u8| write!(f, "{v}")),
        E::U16 => each(f, t, |f, v: &u16| write!(f, "{v}")),
        E::U32 => each(f, t, |f, v: &u32| write!(f, "{v}")),
        E::U64 => each(f, t, |f, v: &u64| write!(f, "{v}")),
        // `max_digits10` of each format: ceil(1 + precision · log10 2).
        E::F4E2M1FN => small(f, t, 2, 0, |b| F4E2M1FN::from_bits(b).to_f32()),
        E::F6E2M3FN => small(f, t, 3, 0, |b| F6E2M3FN::from_bits(b).to_f32()),
        E::F6E3M2FN => small(f, t, 2, 0, |b| F6E3M2FN::from_bits(b).to_f32()),
        E::F8E3M4 => small(f, t, 3, 4, |b| F8E3M4::from_bits(b).to_f32()),
        E::F8E4M3 => small(f, t, 3, 3, |b| F8E4M3::from_bits(b).to_f32()),
        E::F8E4M3FN => small(f, t, 3, 0, |b| F8E4M3FN::from_bits(b).to_f32()),
        E::F8E4M3FNUZ => small(f, t, 3, 0, |b| F8E4M3FNUZ::from_bits(b).to_f32()),
        E::F8E4M3B11FNUZ => small(f, t, 3, 0, |b| F8E4M3B11FNUZ::from_bits(b).to_f32()),
        E::F8E5M2 => small(f, t, 2, 2, |b| F8E5M2::from_bits(b).to_f32()),
        E::F8E5M2FNUZ => small(f, t, 2, 0, |b| F8E5M2FNUZ::from_bits(b).to_f32()),
        E::F8E8M0FNU => small(f, t, 2, 0, |b| F8E8M0FNU::from_bits(b).to_f32()),
        E::BF16 => each(f, t, |f, v: &bf16| {
            if v.is_nan() {
                return nan(f, v.is_sign_negative(), u64::from(v.to_bits()), 7);
            }
            f.push_str(&general(v.to_f64(), 4));
            Ok(())
        }),
        E::F16 => each(f, t, |f, v: &f16| {
            if v.is_nan() {
                return nan(f, v.is_sign_negative(), u64::from(v.to_bits()), 10);
            }
            f.push_str(&general(v.to_f64(), 5));
            Ok(())
        }),
        E::F32 => each(f, t, |f, &v: &f32| single(f, v)),
        E::F64 => each(f, t, |f, &v: &f64| double(f, v)),
        E::C64 => each(f, t, |f, v: &Complex<f32>| {
            f.push('(');
            single(f, v.re)?;
            f.push_str(", ");
            single(f, v.im)?;
            f.push(')');
            Ok(())
        }),
        E::C128 => each(f, t, |f, v: &Complex<f64>| {
            f.push('(');
            double(f, v.re)?;
            f.push_str(", ");
            double(f, v.im)?;
            f.push(')');
            Ok(())
        }),
    }
}

fn single(f: &mut String, v: f32) -> fmt::Result {
    if v.is_nan() {
        return nan(f, v.is_sign_negative(), u64::from(v.to_bits()), 23);
    }
    f.push_str(&round_trip(f64::from(v), 6, 9, |back| back as f32 == v));
    Ok(())
}

fn double(f: &mut String, v: f64) -> fmt::Result {
    if v.is_nan() {
        return nan(f, v.is_sign_negative(), v.to_bits(), 52);
    }
    f.push_str(&round_trip(v, 15, 17, |back| back == v));
    Ok(())
}

/// `nan`, or with the payload where it is not the default quiet one: `-nan(0x1)`.
fn nan(f: &mut String, negative: bool, bits: u64, mantissa: u32) -> fmt::Result {
    let payload = bits & ((1 << mantissa) - 1);
    f.push_str(if negative { "-nan" } else { "nan" });
    if mantissa > 0 && payload != 1 << (mantissa - 1) {
        write!(f, "(0x{payload:x})")?;
    }
    Ok(())
}

/// Formats of a byte. `mantissa` is 0 for those with one NaN only.
fn small(f: &mut String, t: &Tensor, digits: usize, mantissa: u32, value: fn(u8) -> f32) -> fmt::Result {
    let one_sided = matches!(t.element(), E::F8E4M3FNUZ | E::F8E4M3B11FNUZ | E::F8E5M2FNUZ | E::F8E8M0FNU);
    each(f, t, |f, &bits: &u8| {
        let v = value(bits);
        if v.is_nan() {
            return nan(f, bits & 0x80 != 0 && !one_sided, u64::from(bits), mantissa);
        }
        f.push_str(&general(f64::from(v), digits));
        Ok(())
    })
}

fn each<T: crate::dtype::Native>(
    f: &mut String,
    t: &Tensor,
    write: impl Fn(&mut String, &T) -> fmt::Result,
) -> fmt::Result {
    let values = t.as_slice::<T>();
    nested(f, t.shape(), &mut |f, range| {
        for (i, v) in values[range].iter().enumerate() {
            if i > 0 {
                f.push_str(", ");
            }
            write(f, v)?;
        }
        Ok(())
    })
}

/// Braces by dimension, as XLA sets them; `row` writes elements. Ranks are bounded by the reader.
fn nested(
    f: &mut String,
    shape: &[usize],
    row: &mut impl FnMut(&mut String, std::ops::Range<usize>) -> fmt::Result,
) -> fmt::Result {
    level(f, shape, 0, 0, None, row)
}

/// `shape[depth..]` from element `start` on; `index` is the place in the dimension around it.
fn level(
    f: &mut String,
    shape: &[usize],
    depth: usize,
    start: usize,
    index: Option<usize>,
    row: &mut impl FnMut(&mut String, std::ops::Range<usize>) -> fmt::Result,
) -> fmt::Result {
    match &shape[depth..] {
        [] => row(f, start..start + 1),
        [n] => {
            // `{1, 2}` alone, `{ 1, 2 }` in a matrix, `{1}` wherever it is.
            let (open, close) = if shape.len() > 1 && *n > 1 { ("{ ", " }") } else { ("{", "}") };
            f.push_str(open);
            row(f, start..start + n)?;
            f.push_str(close);
            Ok(())
        }
        [n, rest @ ..] => {
            f.push_str("{ ");
            // From four dimensions on, the outer ones are numbered.
            if let Some(i) = index.filter(|_| shape.len() > 3) {
                write!(f, "/*i{}={i}*/", depth - 1)?;
                f.push_str(if *n > 0 { " " } else { "" });
            }
            let size: usize = rest.iter().product();
            for i in 0..*n {
                if i > 0 {
                    f.push_str(", ");
                }
                level(f, shape, depth + 1, start + i * size, Some(i), row)?;
            }
            f.push_str(" }");
            Ok(())
        }
    }
}
