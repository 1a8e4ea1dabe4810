//! Runs a program here and on JAX, and compares.
//!
//! Where the two may differ, and why that is right:
//!
//! * **Subnormal results.** XLA:CPU runs with subnormals flushed to zero; `--numerics ieee` keeps
//!   them, as the specification has it. Two numbers below the smallest normal one are the same.
//! * **The sign of zero.** XLA simplifies sums and products without regard to it.
//! * **Rounding of chains.** XLA contracts `a * b + c` and reassociates; elementary functions differ
//!   by a few units in the last place. [`Info::error`] bounds what may come of it.
//! * **Scatter of windows partly out of bounds.** The specification drops the elements outside, XLA
//!   the whole window: compared with `scatter_whole_windows`.
//!
//! And what is not drawn at all, because XLA:CPU (jaxlib 0.12) departs from the specification:
//!
//! * `add` of `i1`: an exclusive or at low optimization; the specification says or.
//! * `divide` and `remainder` of integers by zero: `x / x` is simplified to 1 before zero is seen.
//! * `compare` of NaN in the total order, outside of a sort: false, as in the partial one.
//! * `power` of integers with exponents over 31: the upper bits of the exponent are not looked at.
//! * `convolution` of integers whose sums leave the exact range of floats: they saturate.
//! * `dynamic_slice` with unsigned starts from 2^31: taken for negative, so clamped to 0.
//! * `maximum` or `minimum` of over 4,096 elements with NaN among them: the NaN is lost.
//! * `reduce` by `maximum` or `minimum` of 4,096 or more 8-bit integers: sums, differences and products fused with it
//!   (before or behind) saturate, 199 + 199 of u8 being 255. Other reductions, wider integers, and fewer do not.
//! * `maximum` or `minimum` of one element that may be infinite: the initial value, the largest finite number, is left out.
//! * `sort` of f8 with NaN in the total order: moving an f8 makes a negative NaN positive.
//! * `bitcast_convert` of what a product or a convolution gives: the bits are taken in the order of its layout.
//! * Conversion of floats out of an integer type's range: the specification leaves it open.

use crate::draw::Info;
use crate::jax::Jax;
use backend::frontend::{Source, parse};
use backend::runtime::ulp::{Number, index_of, number, ulps};
use backend::runtime::{Executable, RunOptions};
use sim_core::ir::{Module, same};
use sim_core::{Ctx, ElementType, Numerics, Tensor};
use std::sync::Arc;

/// Memory one program may use.
const LIMIT: u64 = 1 << 30;

/// What went wrong, and with which output if it was a value.
pub struct Mismatch {
    pub output: Option<usize>,
    pub text: String,
}

fn general(text: String) -> Mismatch {
    Mismatch { output: None, text }
}

/// Outputs of a run here.
///
/// # Errors
/// Whatever the verifier, the planner or the runtime says.
pub fn run_here(module: &Module, inputs: &[Tensor], unfused: bool) -> Result<Vec<Tensor>, String> {
    let numerics = Numerics { scatter_whole_windows: true, ..Numerics::ieee() };
    let options = RunOptions { numerics, unfused, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module.clone()), options).map_err(|e| e.to_string())?;
    let values = exe.run(&Ctx::new(numerics, LIMIT), inputs.to_vec()).map_err(|e| e.to_string())?;
    values.iter().map(|v| v.as_tensor().cloned().map_err(|e| e.to_string())).collect()
}

/// Text and back, fused and not, on one thread and on three, and JAX: all must agree.
pub fn check(jax: &mut Jax, module: &Module, inputs: &[Tensor], infos: &[Info]) -> Result<(), Mismatch> {
    let text = module.to_string();
    let read = parse(&Source::from_bytes("drawn.mlir", text.into_bytes()))
        .map_err(|e| general(format!("our parser: {e}")))?;
    same(module, &read[0]).map_err(|e| general(format!("text and back: {e}")))?;

    let unfused = run_here(&read[0], inputs, true).map_err(|e| general(format!("tpusim, unfused: {e}")))?;
    let fused = run_here(&read[0], inputs, false).map_err(|e| general(format!("tpusim: {e}")))?;
    identical(&fused, &unfused, "fused and unfused")?;
    if inputs.iter().any(|t| t.len() > 1000) {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let again = pool
                .install(|| run_here(&read[0], inputs, false))
                .map_err(|e| general(format!("tpusim on {threads} threads: {e}")))?;
            identical(&again, &fused, &format!("{threads} threads and all"))?;
        }
    }
    let expected = jax.run(module, inputs).map_err(|e| general(format!("JAX: {e}")))?;
    for (i, ((got, want), info)) in unfused.iter().zip(&expected).zip(infos).enumerate() {
        close(got, want, info).map_err(|text| Mismatch { output: Some(i), text })?;
    }
    Ok(())
}

fn identical(a: &[Tensor], b: &[Tensor], what: &str) -> Result<(), Mismatch> {
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        if x != y {
            let at = (0..x.len()).find(|&i| !same_bits(x, y, i)).unwrap_or(0);
            let text = format!(
                "{what}: element {:?} is {} and {}",
                index_of(x.shape(), at),
                number(x, at),
                number(y, at)
            );
            return Err(Mismatch { output: Some(i), text });
        }
    }
    Ok(())
}

fn same_bits(x: &Tensor, y: &Tensor, i: usize) -> bool {
    let size = x.element().byte_size();
    x.bytes()[i * size..][..size] == y.bytes()[i * size..][..size]
}

/// The smallest normal number.
fn smallest_normal(element: ElementType) -> f64 {
    use ElementType as E;
    match element {
        E::F64 | E::C128 => f64::MIN_POSITIVE,
        E::F16 => 2f64.powi(-14),
        E::F8E4M3FN => 2f64.powi(-6),
        E::F8E5M2 => 2f64.powi(-14),
        _ => f64::from(f32::MIN_POSITIVE),
    }
}

/// The first element that is further from JAX's than what is known of it allows.
fn close(got: &Tensor, want: &Tensor, info: &Info) -> Result<(), String> {
    if got.element() != want.element() || got.shape() != want.shape() {
        return Err(format!("tpusim gives {}, JAX {}", got.ty(), want.ty()));
    }
    if got.bytes() == want.bytes() {
        return Ok(());
    }
    let element = got.element();
    let near = |a: f64, b: f64, i: usize| {
        let tiny = |x: f64| x.abs() < smallest_normal(element);
        a == b
            || a.is_nan() && b.is_nan()
            || tiny(a) && tiny(b)
            || (a - b).abs() <= info.error
            || a.is_finite() == b.is_finite() && ulps(got, want, i).is_some_and(|n| n as f64 <= info.ulps)
    };
    for i in 0..got.len() {
        let (a, b) = (number(got, i), number(want, i));
        let fine = match (a, b) {
            (Number::Float(a), Number::Float(b)) => near(a, b, i),
            (Number::Complex(a, b), Number::Complex(c, d)) => near(a, c, i) && near(b, d, i),
            (a, b) => a == b,
        };
        if !fine {
            return Err(format!(
                "element {:?} of {} is {a}, and {b} on JAX (allowed: {:e}, {} ULP; values in {}..{})",
                index_of(got.shape(), i),
                got.ty(),
                info.error,
                info.ulps,
                info.low,
                info.high
            ));
        }
    }
    Ok(())
}
