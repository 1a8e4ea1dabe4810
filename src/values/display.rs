//! Values in NumPy's form: `numpy.array2string` with its default options (at most 1000 elements in
//! full, else three at each edge; 8 digits after the point; lines of 75), so that what `tpusim`
//! prints can be compared with a Python session by eye and by `diff`.
//!
//! The digits are those of the element's own type: the fewest that read back to the same value.
//! NumPy has no bf16, f8, f6 and f4; they are printed as NumPy prints them after `astype(float32)`,
//! which is exact.

use super::{Scalar, scalar};
use sim_core::{ElementType, Tensor};

const THRESHOLD: usize = 1000;
const EDGE_ITEMS: usize = 3;
const LINE_WIDTH: usize = 75;
const PRECISION: usize = 8;

/// The whole array, over several lines if need be.
pub fn array(t: &Tensor) -> String {
    if t.is_empty() {
        return "[]".to_owned();
    }
    if t.rank() == 0 {
        return element(t, 0);
    }
    let edge = (t.len() > THRESHOLD).then(|| {
        // Six to the power of the rank elements are shown; beyond rank 6 that helps nobody.
        if t.rank() > 6 { 1 } else { EDGE_ITEMS }
    });
    let shown = shown_elements(t.shape(), edge);
    let mut words = words(t, &shown).into_iter();
    let layout = Layout { shape: t.shape(), edge };
    layout.block(0, " ", LINE_WIDTH, &mut words)
}

/// One element as Python's `str` of the NumPy scalar gives it.
pub fn element(t: &Tensor, i: usize) -> String {
    let kind = FloatKind::of(t.element());
    match scalar(t, i) {
        Scalar::Bool(b) => (if b { "True" } else { "False" }).to_owned(),
        Scalar::Int(n) => n.to_string(),
        Scalar::Uint(n) => n.to_string(),
        Scalar::Float(x) => kind.scalar(x, true),
        Scalar::Complex(re, im) => {
            let imag = kind.scalar(im, false);
            if re == 0.0 && re.is_sign_positive() {
                return format!("{imag}j");
            }
            let sign = if imag.starts_with('-') { "" } else { "+" };
            format!("({}{sign}{imag}j)", kind.scalar(re, false))
        }
    }
}

/// Row-major numbers of the elements that are printed, in order.
fn shown_elements(shape: &[usize], edge: Option<usize>) -> Vec<usize> {
    let mut shown = vec![0usize];
    for &n in shape {
        let indices: Vec<usize> = match edge {
            Some(edge) if n > 2 * edge => (0..edge).chain(n - edge..n).collect(),
            _ => (0..n).collect(),
        };
        shown = shown.iter().flat_map(|&at| indices.iter().map(move |&i| at * n + i)).collect();
    }
    shown
}

/// The elements as words of one width.
fn words(t: &Tensor, shown: &[usize]) -> Vec<String> {
    let values: Vec<Scalar> = shown.iter().map(|&i| scalar(t, i)).collect();
    let kind = FloatKind::of(t.element());
    match values[0] {
        Scalar::Bool(_) => values
            .iter()
            .map(|v| if *v == Scalar::Bool(true) { " True" } else { "False" }.to_owned())
            .collect(),
        Scalar::Int(_) | Scalar::Uint(_) => {
            let texts: Vec<String> = values
                .iter()
                .map(|v| match v {
                    Scalar::Int(n) => n.to_string(),
                    Scalar::Uint(n) => n.to_string(),
                    _ => String::new(),
                })
                .collect();
            let width = texts.iter().map(String::len).max().unwrap_or(0);
            texts.iter().map(|text| format!("{text:>width$}")).collect()
        }
        Scalar::Float(_) => {
            let xs: Vec<f64> =
                values.iter().map(|v| if let Scalar::Float(x) = v { *x } else { 0.0 }).collect();
            let format = FloatFormat::new(&xs, kind, false);
            xs.iter().map(|&x| format.word(x)).collect()
        }
        Scalar::Complex(..) => {
            let (re, im): (Vec<f64>, Vec<f64>) = values
                .iter()
                .map(|v| if let Scalar::Complex(re, im) = v { (*re, *im) } else { (0.0, 0.0) })
                .unzip();
            let real = FloatFormat::new(&re, kind, false);
            let imag = FloatFormat::new(&im, kind, true);
            re.iter()
                .zip(&im)
                .map(|(&re, &im)| {
                    let im = imag.word(im);
                    let text = im.trim_end();
                    format!("{}{text}j{}", real.word(re), &im[text.len()..])
                })
                .collect()
        }
    }
}

/// The float type whose digits are printed.
#[derive(Clone, Copy, PartialEq)]
enum FloatKind {
    F16,
    F32,
    F64,
}

/// Decimal digits and the exponent of the first: 1.25e3 is ("125", 3).
struct Decimal {
    digits: String,
    exponent: i32,
}

impl FloatKind {
    fn of(element: ElementType) -> FloatKind {
        match element {
            ElementType::F16 => FloatKind::F16,
            ElementType::F64 | ElementType::C128 => FloatKind::F64,
            _ => FloatKind::F32,
        }
    }

    fn round(self, x: f64) -> f64 {
        match self {
            FloatKind::F16 => half::f16::from_f64(x).to_f64(),
            FloatKind::F32 => (x as f32).into(),
            FloatKind::F64 => x,
        }
    }

    /// From here on, NumPy prints with an exponent: ten to the type's decimal precision, at most 1e8.
    fn exponent_from(self) -> f64 {
        match self {
            FloatKind::F16 => 1e3,
            FloatKind::F32 => 1e6,
            FloatKind::F64 => 1e8,
        }
    }

    /// The fewest digits of `x` (finite, not negative) that read back to it.
    fn shortest(self, x: f64) -> Decimal {
        let text = match self {
            FloatKind::F64 => format!("{x:e}"),
            FloatKind::F32 => format!("{:e}", x as f32),
            FloatKind::F16 => (0..5)
                .map(|digits| format!("{x:.digits$e}"))
                .find(|text| text.parse().is_ok_and(|y| self.round(y) == x))
                .unwrap_or_else(|| format!("{x:e}")),
        };
        Decimal::parse(&text)
    }

    /// Digits of `x` before and behind the point, at most `PRECISION` behind it, no trailing zeros.
    fn positional(self, x: f64, precision: usize) -> (String, String) {
        let Decimal { digits, exponent } = self.shortest(x);
        if digits.len() as i32 - 1 - exponent > precision as i32 {
            // More than fit: NumPy rounds the exact value.
            let text = format!("{x:.precision$}");
            let (int, frac) = text.split_once('.').unwrap_or((&text, ""));
            return (int.to_owned(), frac.trim_end_matches('0').to_owned());
        }
        if exponent < 0 {
            let zeros = "0".repeat((-exponent - 1) as usize);
            return ("0".to_owned(), (zeros + &digits).trim_end_matches('0').to_owned());
        }
        let point = exponent as usize + 1;
        if digits.len() <= point {
            return (format!("{digits:0<point$}"), String::new());
        }
        (digits[..point].to_owned(), digits[point..].trim_end_matches('0').to_owned())
    }

    /// Mantissa digits (first, rest without trailing zeros) and exponent.
    fn scientific(self, x: f64, precision: usize) -> (String, String, i32) {
        let mut decimal = self.shortest(x);
        if decimal.digits.len() > precision + 1 {
            decimal = Decimal::parse(&format!("{x:.precision$e}"));
        }
        let (first, rest) = decimal.digits.split_at(1);
        (first.to_owned(), rest.trim_end_matches('0').to_owned(), decimal.exponent)
    }

    /// `str` of a NumPy scalar; `point`: `1.0`, not `1`.
    fn scalar(self, x: f64, point: bool) -> String {
        if x.is_nan() {
            return "nan".to_owned();
        }
        let sign = if x.is_sign_negative() { "-" } else { "" };
        let a = x.abs();
        if a.is_infinite() {
            return format!("{sign}inf");
        }
        let exponent_from = if self == FloatKind::F64 { 1e16 } else { self.exponent_from() };
        if a != 0.0 && !(1e-4..exponent_from).contains(&a) {
            let (first, rest, exponent) = self.scientific(a, 17);
            let dot = if rest.is_empty() { "" } else { "." };
            return format!("{sign}{first}{dot}{rest}e{}", exponent_text(exponent, 2));
        }
        let (int, frac) = self.positional(a, 400);
        match (frac.is_empty(), point) {
            (true, true) => format!("{sign}{int}.0"),
            (true, false) => format!("{sign}{int}"),
            _ => format!("{sign}{int}.{frac}"),
        }
    }
}

impl Decimal {
    /// From Rust's `{:e}`.
    fn parse(text: &str) -> Decimal {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        Decimal { digits: mantissa.replace('.', ""), exponent: exponent.parse().unwrap_or(0) }
    }
}

/// `+08`: a sign and at least `width` digits.
fn exponent_text(exponent: i32, width: usize) -> String {
    format!("{}{:0width$}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

/// How the floats of one array are written: the widths that make them line up.
struct FloatFormat {
    kind: FloatKind,
    /// Write `+` before what is not negative (imaginary parts).
    plus: bool,
    /// Digits of the exponent, if there is one.
    exponent: Option<usize>,
    precision: usize,
    left: usize,
    right: usize,
}

impl FloatFormat {
    fn new(xs: &[f64], kind: FloatKind, plus: bool) -> FloatFormat {
        let finite: Vec<f64> = xs.iter().copied().filter(|x| x.is_finite()).collect();
        let nonzero = finite.iter().map(|x| x.abs()).filter(|&x| x != 0.0);
        let max = nonzero.clone().fold(0.0, f64::max);
        let min = nonzero.fold(f64::INFINITY, f64::min);
        let scientific = max > 0.0
            && (max >= kind.exponent_from() || min < kind.round(1e-4) || kind.round(max / min) > 1000.0);
        let mut format = FloatFormat { kind, plus, exponent: None, precision: PRECISION, left: 0, right: 0 };
        let sign = |x: &f64| (plus || x.is_sign_negative()) as usize;
        if finite.is_empty() {
        } else if scientific {
            let parts: Vec<_> = finite.iter().map(|x| kind.scientific(x.abs(), PRECISION)).collect();
            let digits = parts.iter().map(|p| exponent_text(p.2, 2).len() - 1).max().unwrap_or(2);
            format.exponent = Some(digits);
            format.precision = parts.iter().map(|p| p.1.len()).max().unwrap_or(0);
            format.left = finite.iter().map(|x| 1 + sign(x)).max().unwrap_or(1);
            format.right = digits + 2 + format.precision;
        } else {
            for x in &finite {
                let (int, frac) = kind.positional(x.abs(), PRECISION);
                format.left = format.left.max(int.len() + sign(x));
                format.right = format.right.max(frac.len());
            }
        }
        if finite.len() != xs.len() {
            let infinity = 3 + (plus || xs.contains(&f64::NEG_INFINITY)) as usize;
            format.left = format.left.max(infinity.max(3).saturating_sub(format.right + 1));
        }
        format
    }

    fn word(&self, x: f64) -> String {
        let sign = if x.is_sign_negative() && !x.is_nan() {
            "-"
        } else if self.plus {
            "+"
        } else {
            ""
        };
        let (left, right) = (self.left, self.right);
        if !x.is_finite() {
            let text = format!("{sign}{}", if x.is_nan() { "nan" } else { "inf" });
            return format!("{text:>width$}", width = left + right + 1);
        }
        match self.exponent {
            Some(digits) => {
                // All with as many digits as the longest needs, so these are the exact value's.
                let decimal = Decimal::parse(&format!("{:.*e}", self.precision, x.abs()));
                let (first, rest) = decimal.digits.split_at(1);
                let int = format!("{sign}{first}");
                format!("{int:>left$}.{rest}e{}", exponent_text(decimal.exponent, digits))
            }
            None => {
                let (int, frac) = self.kind.positional(x.abs(), self.precision);
                let int = format!("{sign}{int}");
                format!("{int:>left$}.{frac:<right$}")
            }
        }
    }
}

/// Brackets, line breaks and `...`, as `numpy/_core/arrayprint.py` places them.
struct Layout<'a> {
    shape: &'a [usize],
    /// Items at each end of a summarized dimension; `None`: nothing is left out.
    edge: Option<usize>,
}

impl Layout<'_> {
    fn block(
        &self,
        axis: usize,
        indent: &str,
        width: usize,
        words: &mut impl Iterator<Item = String>,
    ) -> String {
        let axes_left = self.shape.len() - axis;
        if axes_left == 0 {
            return words.next().unwrap_or_default();
        }
        let n = self.shape[axis];
        let summary = self.edge.filter(|&edge| 2 * edge < n);
        let (leading, trailing) = summary.map_or((0, n), |edge| (edge, edge));
        let next_indent = format!("{indent} ");
        let mut out = String::new();
        if axes_left == 1 {
            let limit = width - 1;
            let mut line = indent.to_owned();
            let mut put = |line: &mut String, word: &str, last: bool| {
                if line.len() + word.len() > limit && line.len() > indent.len() {
                    out.push_str(line.trim_end());
                    out.push('\n');
                    line.clear();
                    line.push_str(indent);
                }
                line.push_str(word);
                if !last {
                    line.push(' ');
                }
            };
            for _ in 0..leading {
                put(&mut line, &words.next().unwrap_or_default(), false);
            }
            if summary.is_some() {
                put(&mut line, "...", false);
            }
            for i in 0..trailing {
                put(&mut line, &words.next().unwrap_or_default(), i + 1 == trailing);
            }
            out.push_str(&line);
        } else {
            let separator = "\n".repeat(axes_left - 1);
            let mut first = true;
            let mut put = |text: &str| {
                if !std::mem::take(&mut first) {
                    out.push_str(&separator);
                }
                out.push_str(indent);
                out.push_str(text);
            };
            for _ in 0..leading {
                put(&self.block(axis + 1, &next_indent, width - 1, words));
            }
            if summary.is_some() {
                put("...");
            }
            for _ in 0..trailing {
                put(&self.block(axis + 1, &next_indent, width - 1, words));
            }
        }
        format!("[{}]", &out[indent.len()..])
    }
}

#[cfg(test)]
mod tests;
