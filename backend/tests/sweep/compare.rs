//! How near to JAX's a result must be.
//!
//! Integers and truth values are the same, always; NaN and infinities stand where JAX has them; two
//! subnormals are the same, because XLA:CPU flushes them, and so are both zeros. What remains is
//! floating point, in one of these classes (`eps`: the distance from one to the next number of the
//! type; `scale`: the largest finite magnitude in the result; of models, in all of their results, because
//! some of their gradients are zero but for rounding, as that of the bias of an attention's keys):
//!
//! | class | for | an element may differ by |
//! |---|---|---|
//! | `exact` | data movement, order, random bits | nothing |
//! | `ulps` | elementwise functions | 4 units in the last place |
//! | `special` | special functions, chains of elementwise ones | 32 units in the last place, or 2 `eps` |
//! | `sum` | sums, products of matrices, gradients | 16 units in the last place, or 16 `eps · scale` |
//! | `model` | models and gradients of their parameters | 64 `eps · scale` |
//! | `linalg` | factorizations and what uses them | 256 `eps · scale` |

use backend::runtime::ulp::{Number, index_of, number, ulps};
use sim_core::{ElementType, Tensor};

/// What a class allows: units in the last place, multiples of `eps`, multiples of `eps · scale`.
struct Bound {
    ulps: u64,
    eps: f64,
    scaled: f64,
}

fn bound(class: &str) -> Bound {
    let (ulps, eps, scaled) = match class {
        "exact" => (0, 0.0, 0.0),
        "ulps" => (4, 0.0, 0.0),
        "special" => (32, 2.0, 0.0),
        "sum" => (16, 0.0, 16.0),
        "linalg" => (0, 0.0, 256.0),
        "model" => (0, 0.0, 64.0),
        other => panic!("there is no tolerance class {other}"),
    };
    Bound { ulps, eps, scaled }
}

/// The distance from one to the next number, and the smallest normal number.
fn precision(element: ElementType) -> (f64, f64) {
    use ElementType as E;
    match element {
        E::F64 | E::C128 => (f64::EPSILON, f64::MIN_POSITIVE),
        E::F16 => (2f64.powi(-10), 2f64.powi(-14)),
        E::BF16 => (2f64.powi(-7), f64::from(f32::MIN_POSITIVE)),
        _ => (f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE)),
    }
}

/// # Errors
/// The number of the first result that is too far from JAX's, and the element that is furthest out.
pub fn all_close(got: &[Tensor], want: &[Tensor], class: &str) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{} results, not {}", got.len(), want.len()));
    }
    let common = want.iter().map(scale).fold(0.0, f64::max);
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let scale = if class == "model" { common } else { scale(want) };
        close(got, want, class, scale).map_err(|e| format!("result {i}: {e}"))?;
    }
    Ok(())
}

/// The largest finite magnitude of a float.
fn scale(t: &Tensor) -> f64 {
    let magnitude = |n: Number| match n {
        Number::Float(a) => a.abs(),
        Number::Complex(a, b) => a.abs().max(b.abs()),
        Number::Int(_) => 0.0,
    };
    (0..t.len()).map(|i| magnitude(number(t, i))).filter(|x| x.is_finite()).fold(0.0, f64::max)
}

fn close(got: &Tensor, want: &Tensor, class: &str, scale: f64) -> Result<(), String> {
    if got.element() != want.element() || got.shape() != want.shape() {
        return Err(format!("tpusim gives {}, JAX {}", got.ty(), want.ty()));
    }
    if got.bytes() == want.bytes() {
        return Ok(());
    }
    let element = got.element();
    let allowed = bound(class);
    let (eps, tiny) = precision(element);
    let margin = eps * allowed.eps.max(allowed.scaled * scale);
    let near = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || a.abs() < tiny && b.abs() < tiny;
    let mut worst: Option<(f64, usize)> = None;
    for i in 0..got.len() {
        let (a, b) = (number(got, i), number(want, i));
        let distance = match (a, b) {
            (Number::Float(a), Number::Float(b)) if near(a, b) => 0.0,
            (Number::Float(a), Number::Float(b)) => (a - b).abs(),
            // The parts of a complex number are known as well as its magnitude is.
            (Number::Complex(a, b), Number::Complex(c, d)) if near(a, c) && near(b, d) => 0.0,
            (Number::Complex(a, b), Number::Complex(c, d)) => {
                let part = |x: f64, y: f64| if near(x, y) { 0.0 } else { (x - y).abs() };
                let distance = part(a, c).max(part(b, d));
                if distance <= allowed.ulps as f64 * eps * c.hypot(d) { 0.0 } else { distance }
            }
            (a, b) if a == b => 0.0,
            _ => f64::INFINITY,
        };
        let fine = distance <= margin
            || !element.is_integer()
                && distance.is_finite()
                && ulps(got, want, i).is_some_and(|n| n <= allowed.ulps);
        // NaN is worse than any distance.
        let badness = if distance.is_nan() { f64::INFINITY } else { distance };
        if !fine && worst.is_none_or(|(w, _)| badness > w) {
            worst = Some((badness, i));
        }
    }
    let Some((distance, i)) = worst else { return Ok(()) };
    let steps = ulps(got, want, i).map_or("NaN".to_owned(), |n| format!("{n} ULP"));
    Err(format!(
        "element {:?} of {} is {}, and {} on JAX ({distance:.1e}, {steps}; largest {scale:.1e}; class {class})",
        index_of(got.shape(), i),
        got.ty(),
        number(got, i),
        number(want, i),
    ))
}
