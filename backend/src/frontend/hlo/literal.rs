//! Constants: `{ {1, 2}, {3, nan(0x1)} }`.

use super::cursor::Cursor;
use crate::frontend::mlir::number::bits_of_float;
use sim_core::hlo::{ArrayShape, Literal, Shape};
use sim_core::tensor::Tensor;
use sim_core::types::Dim;
use sim_core::{Diagnostic, ElementType as E, Result};

pub(super) fn literal(c: &mut Cursor, shape: &Shape) -> Result<Literal> {
    match shape {
        Shape::Tuple(items) => {
            let mut parts = Vec::new();
            c.expect(b'(')?;
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    c.expect(b',')?;
                }
                parts.push(c.nested(|c| literal(c, item))?);
            }
            c.expect(b')')?;
            Ok(Literal::Tuple(parts))
        }
        Shape::Array(a) | Shape::Buffer(a) => {
            let start = c.pos;
            if c.eat_str("{...}") || c.eat_str("...") {
                return Ok(Literal::Elided);
            }
            c.pos = start;
            array(c, a)
        }
        Shape::Token => {
            if c.peek() != b')' {
                c.expect_str("token")?;
            }
            Ok(Literal::Token)
        }
        Shape::Opaque => Err(c.error(c.pos, "an opaque value has no literal")),
    }
}

fn array(c: &mut Cursor, shape: &ArrayShape) -> Result<Literal> {
    let start = c.pos;
    let mut dims = Vec::new();
    for d in &shape.dims {
        match *d {
            Dim::Static(n) | Dim::Bounded(n) => dims.push(n as usize),
            Dim::Dynamic => return Err(c.error(start, "a constant's sizes are known")),
        }
    }
    // Filled as values are read, so that a size alone allocates nothing.
    let mut bytes = Vec::new();
    fill(c, shape.element, &dims, &mut bytes)?;
    let expected = dims.iter().try_fold(shape.element.byte_size(), |n, &d| n.checked_mul(d));
    if expected != Some(bytes.len()) {
        return Err(c.error(start, "the values do not fill the shape"));
    }
    let mut buffer = sim_core::tensor::Buffer::zeroed(bytes.len())?;
    buffer.bytes_mut().copy_from_slice(&bytes);
    Ok(Literal::Array(Tensor::from_buffer(shape.element, &dims, buffer)))
}

fn fill(c: &mut Cursor, element: E, dims: &[usize], out: &mut Vec<u8>) -> Result<()> {
    let [n, rest @ ..] = dims else { return scalar(c, element, out) };
    let start = c.pos;
    let mut count = 0;
    c.expect(b'{')?;
    if !c.eat(b'}') {
        loop {
            match rest {
                [] => scalar(c, element, out)?,
                _ => c.nested(|c| fill(c, element, rest, out))?,
            }
            count += 1;
            if c.eat(b'}') {
                break;
            }
            if !c.eat(b',') {
                return Err(c.expected("`,` or `}`"));
            }
        }
    }
    if count != *n {
        return Err(c.error(start, format!("{count} values here, where the shape has {n}")));
    }
    Ok(())
}

fn scalar(c: &mut Cursor, element: E, out: &mut Vec<u8>) -> Result<()> {
    match element {
        E::Pred => {
            let v = match c.peek() {
                b't' | b'f' => c.bool()?,
                _ => c.int("`true`, `false` or a number")? != 0,
            };
            out.push(u8::from(v));
            Ok(())
        }
        e if e.is_integer() || e == E::Index => integer(c, element, out),
        e if e.is_complex() => {
            let part = element.real_part();
            if c.eat(b'(') {
                float(c, part, out)?;
                c.expect(b',')?;
                float(c, part, out)?;
                c.expect(b')')
            } else {
                float(c, part, out)?;
                out.extend(std::iter::repeat_n(0, part.byte_size()));
                Ok(())
            }
        }
        _ => float(c, element, out),
    }
}

fn integer(c: &mut Cursor, element: E, out: &mut Vec<u8>) -> Result<()> {
    c.skip();
    let start = c.pos;
    let negative = c.here() == b'-';
    c.pos += usize::from(negative);
    let digits = c.run(b"");
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse::<u64>(),
    };
    let Ok(magnitude) = magnitude else {
        c.pos = start;
        return Err(match digits {
            "true" | "false" => c.error(start, "a truth value where an integer belongs"),
            _ => c.expected("an integer"),
        });
    };
    let bits = element.bits();
    let (low, high) = match element.is_unsigned() {
        true => (0, (u128::MAX >> (128 - bits)) as i128),
        false => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
    if value < low || value > high {
        return Err(c.error(start, format!("{value} does not fit {}", element.hlo_name())));
    }
    out.extend_from_slice(&(value as i64).to_le_bytes()[..element.byte_size()]);
    Ok(())
}

fn float(c: &mut Cursor, element: E, out: &mut Vec<u8>) -> Result<()> {
    c.skip();
    let start = c.pos;
    let negative = c.here() == b'-';
    c.pos += usize::from(negative || c.here() == b'+');
    let digits = c.pos;
    c.run(b".");
    // The sign of an exponent: `1e-05`.
    if matches!(c.text.as_bytes().get(c.pos - 1), Some(b'e' | b'E' | b'p' | b'P'))
        && matches!(c.here(), b'-' | b'+')
    {
        c.pos += 1;
        c.run(b"");
    }
    let text = &c.text[digits..c.pos];
    let bits = match text {
        "nan" => nan(c, element, negative)?,
        _ => {
            // Rust also reads `infinity` and `nan` in any case; the text may say `inf`.
            let value = match text {
                "inf" => Some(f64::INFINITY),
                _ if text.starts_with(|b: char| b.is_ascii_digit() || b == '.') => text.parse::<f64>().ok(),
                _ => None,
            };
            let Some(value) = value else {
                c.pos = start;
                return Err(c.expected("a number"));
            };
            match element {
                // Once, and to the nearest: not by way of f64.
                E::F32 if text != "inf" => {
                    let value: f32 = text.parse().map_err(|_| c.error(start, "no number"))?;
                    u64::from(if negative { -value } else { value }.to_bits())
                }
                _ => bits_of_float(if negative { -value } else { value }, element),
            }
        }
    };
    out.extend_from_slice(&bits.to_le_bytes()[..element.byte_size()]);
    Ok(())
}

/// `nan`, `-nan(0x1)`: the payload is the mantissa.
fn nan(c: &mut Cursor, element: E, negative: bool) -> Result<u64> {
    let quiet = bits_of_float(f64::NAN, element) & !(1 << (element.bits() - 1));
    // One NaN, whose sign bit is what makes it one.
    let signless = matches!(element, E::F8E4M3FNUZ | E::F8E4M3B11FNUZ | E::F8E5M2FNUZ | E::F8E8M0FNU);
    if signless {
        return Ok(bits_of_float(f64::NAN, element));
    }
    let sign = u64::from(negative) << (element.bits() - 1);
    if c.here() != b'(' {
        return Ok(quiet | sign);
    }
    let start = c.pos;
    c.pos += 1;
    let payload = c.run(b"").strip_prefix("0x").and_then(|h| u64::from_str_radix(h, 16).ok());
    c.expect(b')')?;
    let mantissa = mantissa_bits(element);
    match payload {
        Some(p) if p != 0 && mantissa > 0 && p >> mantissa == 0 => {
            Ok((quiet & !((1u64 << mantissa) - 1)) | p | sign)
        }
        _ => Err(Diagnostic::malformed(format!(
            "the payload of a {} nan has 1 to {mantissa} bits, not all zero",
            element.hlo_name()
        ))
        .at(super::cursor::span(start, c.pos))),
    }
}

/// Of the formats that have more than one NaN.
fn mantissa_bits(element: E) -> u32 {
    match element {
        E::F64 => 52,
        E::F32 => 23,
        E::F16 => 10,
        E::BF16 => 7,
        E::F8E3M4 => 4,
        E::F8E4M3 => 3,
        E::F8E5M2 => 2,
        _ => 0,
    }
}
