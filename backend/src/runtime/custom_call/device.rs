//! JAX's own GPU kernels: ThreeFry, and pivots to permutations. Targets start with the platform:
//! `cu_`, `cuda_`, `hip_`.

use super::Call;
use crate::runtime::Value;
use sim_core::Result;
use tensorcore::{linalg, vpu::rng};

/// The kernel behind a target.
fn kernel(target: &str) -> Option<&str> {
    let (_, kernel) =
        target.split_once('_').filter(|(platform, _)| ["cu", "cuda", "hip"].contains(platform))?;
    Some(kernel.strip_suffix("_ffi").unwrap_or(kernel))
}

pub(super) fn knows(target: &str) -> bool {
    matches!(kernel(target), Some("threefry2x32" | "lu_pivots_to_permutation"))
}

pub(super) fn call(c: &Call, operands: &[Value]) -> Result<Option<Vec<Value>>> {
    let Some(kernel) = kernel(c.target()) else { return Ok(None) };
    Ok(Some(match kernel {
        // Two keys, two counters; two words.
        "threefry2x32" => {
            let [k0, k1, x0, x1] = c.tensors(operands)?;
            let [a, b] = rng::threefry2x32(c.ctx(), [k0, k1], [x0, x1])?;
            c.results(vec![a, b])?
        }
        "lu_pivots_to_permutation" => {
            let [pivots] = c.tensors(operands)?;
            let size = c.declared()?.first().and_then(|t| t.dims.last()?.as_static());
            let size = size
                .and_then(|n| usize::try_from(n).ok())
                .ok_or_else(|| c.invalid("the number of rows is not known"))?;
            c.results(vec![linalg::pivots_to_permutation(c.ctx(), pivots, size)?])?
        }
        _ => return Ok(None),
    }))
}
