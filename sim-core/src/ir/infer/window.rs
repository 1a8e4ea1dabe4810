//! Windows that slide over padded, dilated inputs: what `convolution`, `reduce_window` and
//! `select_and_scatter` share.

use super::dims::map_dim;
use super::sig::rule;
use crate::diag::Result;
use crate::types::Dim;

/// One dimension's window.
#[derive(Clone, Copy)]
pub(super) struct WindowDim {
    pub size: i64,
    pub stride: i64,
    pub padding: (i64, i64),
    pub base_dilation: i64,
    pub window_dilation: i64,
}

/// `(n - 1) * dilation + 1`, nothing for nothing.
fn dilated(n: i64, dilation: i64) -> Option<i64> {
    if n <= 0 { Some(0) } else { (n - 1).checked_mul(dilation)?.checked_add(1) }
}

impl WindowDim {
    /// How many windows fit along a dimension; `None` when a size overflows.
    pub fn count(&self, input: Dim) -> Option<Dim> {
        map_dim(input, |n| {
            let padded =
                self.padding.0.checked_add(dilated(n, self.base_dilation)?)?.checked_add(self.padding.1)?;
            let window = dilated(self.size, self.window_dilation)?;
            let empty = padded <= 0 || window > padded;
            if empty { Some(0) } else { (padded - window).checked_div(self.stride)?.checked_add(1) }
        })
    }
}

/// An attribute with one number a dimension: empty means `default` everywhere; else there must be
/// `n` of them (`size_rule`), all positive (`positive_rule`).
pub(super) fn positive_list(
    list: &[i64],
    n: usize,
    [size_rule, positive_rule]: [&str; 2],
    name: &str,
) -> Result<Vec<i64>> {
    if list.is_empty() {
        return Ok(vec![1; n]);
    }
    rule!(list.len() == n, size_rule, "{name} has {} elements, expected {n}", list.len());
    rule!(list.iter().all(|&v| v > 0), positive_rule, "{name} must be positive, got {list:?}");
    Ok(list.to_vec())
}

/// Padding per dimension: empty means none.
pub(super) fn padding_list(list: &[(i64, i64)], n: usize, label: &str) -> Result<Vec<(i64, i64)>> {
    if list.is_empty() {
        return Ok(vec![(0, 0); n]);
    }
    rule!(list.len() == n, label, "padding has {} rows, expected {n}", list.len());
    Ok(list.to_vec())
}
