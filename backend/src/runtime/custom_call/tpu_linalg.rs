//! The factorizations that XLA:TPU knows by name, as JAX asks for them.

use super::Call;
use crate::runtime::Value;
use sim_core::Result;
use tensorcore::linalg;

pub(super) const TARGETS: &[&str] =
    &["Qr", "ProductOfElementaryHouseholderReflectors", "Eigh", "LuDecomposition"];

pub(super) fn call(c: &Call, operands: &[Value]) -> Result<Option<Vec<Value>>> {
    let ctx = c.ctx();
    Ok(Some(match c.target() {
        // R and the reflectors in one matrix, and the reflectors' factors.
        "Qr" => {
            let [a] = c.tensors(operands)?;
            let (packed, taus) = linalg::qr(ctx, a)?;
            c.results(vec![packed, taus])?
        }
        "ProductOfElementaryHouseholderReflectors" => {
            let [a, taus] = c.tensors(operands)?;
            c.results(vec![linalg::form_q(ctx, a, taus)?])?
        }
        // `backend_config` is "lower,sort,sweeps,tolerance". The values are sorted in any case:
        // without `sort` every order is right.
        "Eigh" => {
            let [a] = c.tensors(operands)?;
            let lower = c.config_text().is_none_or(|t| t.split(',').next().is_none_or(|l| l.trim() != "0"));
            let e = linalg::eigh(ctx, a, lower)?;
            c.results(vec![e.vectors, e.values])?
        }
        // L and U in one matrix, the pivots from zero, and the permutation they amount to.
        "LuDecomposition" => {
            let [a] = c.tensors(operands)?;
            let f = linalg::lu(ctx, a)?;
            let rows = a.shape().iter().rev().nth(1).copied().unwrap_or(0);
            let permutation = linalg::pivots_to_permutation(ctx, &f.pivots, rows)?;
            c.results(vec![f.lu, f.pivots, permutation])?
        }
        _ => return Ok(None),
    }))
}
