//! What attributes say of windows: `window={size=2x2 pad=0_1x0_1}`, `padding=`, `dim_labels=`.

use super::cursor::Cursor;
use sim_core::Result;
use sim_core::hlo::{Value, WindowDim};
use sim_core::ir::op::ConvDims;

/// Numbers joined by `x`: `2x3`.
pub(super) fn by_x<T>(c: &mut Cursor, mut item: impl FnMut(&mut Cursor) -> Result<T>) -> Result<Vec<T>> {
    let mut items = vec![item(c)?];
    while c.here() == b'x' {
        c.pos += 1;
        items.push(item(c)?);
    }
    Ok(items)
}

/// `1_1` or `1_1_0`.
fn pad_dim(c: &mut Cursor) -> Result<(i64, i64, i64)> {
    let low = c.int("padding as `1_1`")?;
    c.expect(b'_')?;
    let high = c.int("padding as `1_1`")?;
    let interior = match c.here() {
        b'_' => {
            c.pos += 1;
            c.int("the padding between elements")?
        }
        _ => 0,
    };
    Ok((low, high, interior))
}

pub(super) fn padding(c: &mut Cursor) -> Result<Value> {
    if !matches!(c.peek(), b'0'..=b'9' | b'-') {
        return Ok(Value::Padding(Box::new([]))); // Of a scalar.
    }
    Ok(Value::Padding(by_x(c, pad_dim)?.into()))
}

/// `{size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x0}`
pub(super) fn window(c: &mut Cursor) -> Result<Vec<WindowDim>> {
    let start = c.pos;
    let mut dims: Vec<WindowDim> = Vec::new();
    c.expect(b'{')?;
    while !c.eat(b'}') {
        let at = c.pos;
        let key = c.word("a part of a window")?;
        c.expect(b'=')?;
        let parts: Vec<(i64, i64, i64)> = match key {
            "pad" => by_x(c, pad_dim)?,
            _ => by_x(c, |c| Ok((c.int("a number")?, 0, 0)))?,
        };
        if dims.is_empty() {
            dims = vec![WindowDim::default(); parts.len()];
        }
        if dims.len() != parts.len() {
            return Err(c.error(at, format!("{} dimensions here, {} before", parts.len(), dims.len())));
        }
        for (d, (a, b, _)) in dims.iter_mut().zip(parts) {
            match key {
                "size" => d.size = a,
                "stride" => d.stride = a,
                "pad" => (d.pad_low, d.pad_high) = (a, b),
                "lhs_dilate" => d.base_dilation = a,
                "rhs_dilate" => d.window_dilation = a,
                "rhs_reversal" => d.reversal = a != 0,
                _ => return Err(c.error(at, format!("`{key}` is no part of a window"))),
            }
        }
    }
    if dims.iter().any(|d| d.size < 0 || d.stride < 1 || d.base_dilation < 1 || d.window_dilation < 1) {
        return Err(c.error(start, "sizes are not negative, strides and dilations positive"));
    }
    Ok(dims)
}

/// `b01f_01io->b01f`
pub(super) fn dim_labels(c: &mut Cursor) -> Result<ConvDims> {
    let start = c.pos;
    let error = |c: &Cursor| c.error(start, "expected labels as `b01f_01io->b01f`");
    // The text's own letters: no blanks, no comments.
    let input = c.run(b"?").to_owned();
    if c.here() != b'_' {
        return Err(error(c));
    }
    c.pos += 1;
    let kernel = c.run(b"?").to_owned();
    c.expect_str("->")?;
    let output = c.run(b"?").to_owned();
    let one = |text: &str, first: u8, second: u8| -> Option<(i64, i64, Vec<i64>)> {
        let place = |label: u8| text.bytes().position(|b| b == label).map(|i| i as i64);
        let rank = text.len().checked_sub(2)?;
        let spatial =
            (0..rank).map(|d| place(b'0'.checked_add(u8::try_from(d).ok()?)?)).collect::<Option<_>>()?;
        Some((place(first)?, place(second)?, spatial))
    };
    let (Some(i), Some(k), Some(o)) =
        (one(&input, b'b', b'f'), one(&kernel, b'i', b'o'), one(&output, b'b', b'f'))
    else {
        return Err(error(c));
    };
    if i.2.len() != k.2.len() || i.2.len() != o.2.len() {
        return Err(error(c));
    }
    Ok(ConvDims {
        input_batch: i.0,
        input_feature: i.1,
        input_spatial: i.2,
        kernel_input_feature: k.0,
        kernel_output_feature: k.1,
        kernel_spatial: k.2,
        output_batch: o.0,
        output_feature: o.1,
        output_spatial: o.2,
    })
}
