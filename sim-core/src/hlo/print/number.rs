//! Numbers as C's `%g` writes them, which is what XLA uses.

/// `%.{digits}g`: `digits` significant digits, without trailing zeros, exponent from 10^-4 down and
/// from 10^digits up.
pub fn general(v: f64, digits: usize) -> String {
    if v.is_nan() {
        return if v.is_sign_negative() { "-nan" } else { "nan" }.to_owned();
    }
    if v.is_infinite() {
        return if v < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let digits = digits.max(1);
    let scientific = format!("{:.*e}", digits - 1, v);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |s: &str| match s.contains('.') {
        true => s.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => s.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.unsigned_abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{v:.decimals$}"))
}

/// The fewest of `short` or `long` digits that read back as the same `f64`: how XLA prints a
/// `double` (15, 17) and, through `same`, a `float` (6, 9).
pub fn round_trip(v: f64, short: usize, long: usize, same: impl Fn(f64) -> bool) -> String {
    let text = general(v, short);
    match text.parse::<f64>() {
        Ok(back) if same(back) => text,
        _ => general(v, long),
    }
}

/// An `f64` attribute (`epsilon=0.001`).
pub fn float_text(v: f64) -> String {
    round_trip(v, 15, 17, |back| back == v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_c_does() {
        for (v, digits, text) in [
            (0.0, 6, "0"),
            (-0.0, 6, "-0"),
            (1e-5, 6, "1e-05"),
            (0.0001, 6, "0.0001"),
            (123456.0, 6, "123456"),
            (1234567.0, 6, "1.23457e+06"),
            (0.1f32 as f64, 9, "0.100000001"),
            (999999.5, 6, "1e+06"),
            (1e300, 15, "1e+300"),
            (1e300, 17, "1.0000000000000001e+300"),
            (3.0, 1, "3"),
        ] {
            assert_eq!(general(v, digits), text);
        }
        assert_eq!(float_text(0.1), "0.1");
        assert_eq!(float_text(0.30000000000000004), "0.30000000000000004");
    }
}
