//! Constants: `dense<[1, 2]>`, a splat, or the bytes in hexadecimal.

use super::text;
use crate::dtype::ElementType as E;
use crate::ir::attr::Dense;
use std::fmt::{self, Write};

/// More elements than this are written as a hexadecimal string, as MLIR does.
const MAX_LIST: usize = 100;

/// `dense<…>` without the type after it. `elide`: constants with more elements lose their values.
pub(super) fn body(f: &mut dyn Write, dense: &Dense, elide: Option<usize>) -> fmt::Result {
    let value = &dense.value;
    let empty = match dense.ty.as_tensor().and_then(|t| t.num_elements()) {
        Some(n) => n == 0,
        None => value.is_empty(),
    };
    if empty || value.is_empty() {
        return f.write_str("dense<>");
    }
    if dense.splat {
        f.write_str("dense<")?;
        element(f, value.bytes(), value.element())?;
        return f.write_str(">");
    }
    if elide.is_some_and(|limit| value.len() > limit) {
        return f.write_str("dense_resource<__elided__>");
    }
    // MLIR has changed how it packs `i1`, so the hexadecimal form of it is not portable.
    if value.len() > MAX_LIST && value.element() != E::Pred {
        f.write_str("dense<\"0x")?;
        hex(f, value.bytes())?;
        return f.write_str("\">");
    }
    f.write_str("dense<")?;
    list(f, dense)?;
    f.write_str(">")
}

/// Nested lists, one level a dimension.
fn list(f: &mut dyn Write, dense: &Dense) -> fmt::Result {
    let value = &dense.value;
    let size = value.element().byte_size();
    for (i, bytes) in value.bytes().chunks_exact(size).enumerate() {
        // How many dimensions begin at this element, and how many end after it.
        let boundaries = |at: usize| {
            let mut count = 1;
            value
                .shape()
                .iter()
                .rev()
                .take_while(|&&n| {
                    count *= n;
                    at.is_multiple_of(count)
                })
                .count()
        };
        if i > 0 {
            f.write_str(", ")?;
        }
        for _ in 0..boundaries(i) {
            f.write_char('[')?;
        }
        element(f, bytes, value.element())?;
        for _ in 0..boundaries(i + 1) {
            f.write_char(']')?;
        }
    }
    Ok(())
}

/// One element from its bytes.
fn element(f: &mut dyn Write, bytes: &[u8], ty: E) -> fmt::Result {
    // Little-endian; at most 8 bytes, since complex numbers are split before.
    let bits = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |n, &b| (n << 8) | u64::from(b));
    if ty.is_complex() {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        f.write_char('(')?;
        text::float(f, bits(re), ty.real_part())?;
        f.write_char(',')?;
        text::float(f, bits(im), ty.real_part())?;
        return f.write_char(')');
    }
    if ty.is_float() {
        return text::float(f, bits(bytes), ty);
    }
    let bits = bits(bytes);
    let value = match ty.is_signed() {
        // Sign-extended from the bytes of storage.
        true => {
            let shift = 64 - 8 * bytes.len() as u32;
            ((bits << shift) as i64) >> shift
        }
        false => bits as i64,
    };
    text::int(f, value, ty)
}

/// Two digits a byte, through a small buffer: this is where large constants spend their time.
fn hex(f: &mut dyn Write, bytes: &[u8]) -> fmt::Result {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut buffer = [0u8; 4096];
    for chunk in bytes.chunks(buffer.len() / 2) {
        for (pair, &b) in buffer.as_chunks_mut::<2>().0.iter_mut().zip(chunk) {
            *pair = [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]];
        }
        f.write_str(std::str::from_utf8(&buffer[..2 * chunk.len()]).map_err(|_| fmt::Error)?)?;
    }
    Ok(())
}
