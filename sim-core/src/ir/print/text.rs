//! MLIR's spelling of strings, names and numbers.

use crate::dtype::{
    ElementType as E, F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ,
    F8E5M2, F8E5M2FNUZ, F8E8M0FNU, SmallFloat,
};
use crate::ir::attr::bytes_of_text;
use std::fmt::{self, Write};

/// `"text"`, with everything but printable ASCII as `\XX`, byte by byte.
pub(super) fn string(f: &mut dyn Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|c| !matches!(c, ' '..='~') || matches!(c, '"' | '\\')) {
        f.write_str(&rest[..at])?;
        let end = at + rest[at..].chars().next().map_or(1, char::len_utf8);
        for b in bytes_of_text(&rest[at..end]) {
            match b {
                b'\\' => f.write_str("\\\\")?,
                _ => write!(f, "\\{b:02X}")?,
            }
        }
        rest = &rest[end..];
    }
    f.write_str(rest)?;
    f.write_char('"')
}

/// May the name stand without quotes: a letter or `_`, then letters, digits, `_`, `$`, `.`?
fn is_bare(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}

/// The key of an attribute.
pub(super) fn key(f: &mut dyn Write, name: &str) -> fmt::Result {
    if is_bare(name) { f.write_str(name) } else { string(f, name) }
}

/// `@main`, `@"any text"`, `@outer::@inner`
pub(super) fn symbol<S: AsRef<str>>(f: &mut dyn Write, path: &[S]) -> fmt::Result {
    for (i, name) in path.iter().enumerate() {
        f.write_str(if i == 0 { "@" } else { "::@" })?;
        key(f, name.as_ref())?;
    }
    Ok(())
}

/// `a, b, c`
pub(super) fn comma<T>(
    f: &mut dyn Write,
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        each(f, item)?;
    }
    Ok(())
}

/// `[1, 2]`
pub(super) fn ints(f: &mut dyn Write, values: &[i64]) -> fmt::Result {
    f.write_char('[')?;
    comma(f, values, |f, v| write!(f, "{v}"))?;
    f.write_char(']')
}

/// An integer of this type, given as i64: `u64` wraps, and `i1` is a truth value.
pub(super) fn int(f: &mut dyn Write, value: i64, ty: E) -> fmt::Result {
    match ty {
        E::Pred => f.write_str(if value != 0 { "true" } else { "false" }),
        E::U64 => write!(f, "{}", value as u64),
        _ => write!(f, "{value}"),
    }
}

/// The bits of `value` rounded to a float type.
pub(super) fn float_bits(value: f64, ty: E) -> u64 {
    fn small<T: SmallFloat>(value: f64) -> u64 {
        u64::from(T::from_f64(value).to_bits())
    }
    match ty {
        E::F4E2M1FN => small::<F4E2M1FN>(value),
        E::F6E2M3FN => small::<F6E2M3FN>(value),
        E::F6E3M2FN => small::<F6E3M2FN>(value),
        E::F8E3M4 => small::<F8E3M4>(value),
        E::F8E4M3 => small::<F8E4M3>(value),
        E::F8E4M3FN => small::<F8E4M3FN>(value),
        E::F8E4M3FNUZ => small::<F8E4M3FNUZ>(value),
        E::F8E4M3B11FNUZ => small::<F8E4M3B11FNUZ>(value),
        E::F8E5M2 => small::<F8E5M2>(value),
        E::F8E5M2FNUZ => small::<F8E5M2FNUZ>(value),
        E::F8E8M0FNU => small::<F8E8M0FNU>(value),
        E::BF16 => u64::from(half::bf16::from_f64(value).to_bits()),
        E::F16 => u64::from(half::f16::from_f64(value).to_bits()),
        E::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The value of a float's bits, exactly.
pub(super) fn float_value(bits: u64, ty: E) -> f64 {
    fn small<T: SmallFloat>(bits: u64) -> f64 {
        f64::from(T::from_bits(bits as u8).to_f32())
    }
    match ty {
        E::F4E2M1FN => small::<F4E2M1FN>(bits),
        E::F6E2M3FN => small::<F6E2M3FN>(bits),
        E::F6E3M2FN => small::<F6E3M2FN>(bits),
        E::F8E3M4 => small::<F8E3M4>(bits),
        E::F8E4M3 => small::<F8E4M3>(bits),
        E::F8E4M3FN => small::<F8E4M3FN>(bits),
        E::F8E4M3FNUZ => small::<F8E4M3FNUZ>(bits),
        E::F8E4M3B11FNUZ => small::<F8E4M3B11FNUZ>(bits),
        E::F8E5M2 => small::<F8E5M2>(bits),
        E::F8E5M2FNUZ => small::<F8E5M2FNUZ>(bits),
        E::F8E8M0FNU => small::<F8E8M0FNU>(bits),
        E::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        E::F16 => half::f16::from_bits(bits as u16).to_f64(),
        E::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// A float by its bits: six digits where they say it all, else the shortest text that reads back,
/// else (infinities and NaN) the bits in hexadecimal.
pub(super) fn float(f: &mut dyn Write, bits: u64, ty: E) -> fmt::Result {
    let value = float_value(bits, ty);
    if value.is_finite() {
        // A narrow float is exact in f32, whose shortest text is shorter than f64's.
        let shortest = || if ty == E::F64 { format!("{value:e}") } else { format!("{:e}", value as f32) };
        for text in [format!("{value:.6e}"), shortest()] {
            if text.parse::<f64>().is_ok_and(|back| float_bits(back, ty) == bits) {
                return scientific(f, &text);
            }
        }
    }
    write!(f, "0x{bits:0width$X}", width = ty.bits().div_ceil(4) as usize)
}

/// Rust's `1e-5` as MLIR's lexer takes it: with a point, a sign and two digits (`1.0e-05`).
fn scientific(f: &mut dyn Write, text: &str) -> fmt::Result {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    write!(f, "{mantissa}{point}e{sign}{digits:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
        let mut s = String::new();
        write(&mut s).unwrap();
        s
    }

    #[test]
    fn strings_are_escaped_as_mlir_does() {
        assert_eq!(text(|s| string(s, "a\"b\\c\n\u{e9}d")), r#""a\22b\\c\0A\C3\A9d""#);
        assert_eq!(text(|s| string(s, &crate::ir::attr::text_of_bytes(b"a\xff\n"))), r#""a\FF\0A""#);
        assert_eq!(text(|s| symbol(s, &["f.x", "a b"])), r#"@f.x::@"a b""#);
        assert_eq!(text(|s| key(s, "mhlo.sharding")), "mhlo.sharding");
        assert_eq!(text(|s| key(s, "1x")), "\"1x\"");
    }

    #[test]
    fn floats() {
        let of = |x: f64, ty| text(|s| float(s, float_bits(x, ty), ty));
        assert_eq!(of(1.0, E::F32), "1.000000e+00");
        assert_eq!(of(-0.0, E::F32), "-0.000000e+00");
        assert_eq!(of(0.1, E::F32), "1.000000e-01");
        assert_eq!(of(1.0 / 3.0, E::F32), "3.3333334e-01");
        assert_eq!(of(1e300, E::F64), "1.000000e+300");
        assert_eq!(of(0.1 + 0.2, E::F64), "3.0000000000000004e-01");
        assert_eq!(of(f64::INFINITY, E::F32), "0x7F800000");
        assert_eq!(of(f64::NEG_INFINITY, E::BF16), "0xFF80");
        assert_eq!(of(f64::NAN, E::F8E4M3FN), "0x7F");
        assert_eq!(of(f64::NAN, E::F8E4M3FNUZ), "0x80");
        assert_eq!(of(0.1, E::BF16), "1.000977e-01");
        assert_eq!(of(448.0, E::F8E4M3FN), "4.480000e+02");
    }

    #[test]
    fn every_float_of_16_bits_and_less_reads_back() {
        for ty in E::all().filter(|t| t.is_float() && t.bits() <= 16) {
            for bits in 0..1u64 << ty.bits() {
                let s = text(|s| float(s, bits, ty));
                let back = match s.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
                    None => float_bits(s.parse().unwrap(), ty),
                };
                assert_eq!(back, bits, "{ty} {s}");
            }
        }
    }
}
