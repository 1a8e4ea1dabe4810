//! `pad`: edges and gaps, both of one value; negative edges cut.

use crate::strided::{self, Axis, CHUNK};
use rayon::prelude::*;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// One dimension: input index `i` goes to output index `low + i * step`, where that is in range.
#[derive(Clone, Copy, Debug)]
struct Edge {
    input: usize,
    output: usize,
    low: i64,
    step: i64,
}

impl Edge {
    /// Inputs that land in outputs `from..to`: the first, how many, and where the first lands after `from`.
    fn hit(self, from: usize, to: usize) -> (usize, usize, usize) {
        let (from, to) = (from as i64, to as i64);
        // Smallest and one past the largest i with from <= low + i * step < to. The checks in `pad`
        // keep all of this far from overflow.
        let first = (from - self.low).max(0).div_ceil_positive(self.step);
        let last = (to - self.low).max(0).div_ceil_positive(self.step).min(self.input as i64);
        if first >= last {
            return (0, 0, 0);
        }
        (first as usize, (last - first) as usize, (self.low + first * self.step - from) as usize)
    }

    fn is_plain(self) -> bool {
        self.input == self.output && self.low == 0 && self.step == 1
    }
}

trait DivCeil {
    fn div_ceil_positive(self, by: i64) -> i64;
}

impl DivCeil for i64 {
    /// Rounded up, for `self >= 0` and `by > 0`.
    fn div_ceil_positive(self, by: i64) -> i64 {
        self / by + i64::from(self % by != 0)
    }
}

/// `stablehlo.pad` (and `dynamic_pad`, with its operands' values): `low[d]` elements before,
/// `high[d]` after and `interior[d]` between the operand's elements of dimension `d` are `value`, a
/// scalar. Negative edges cut elements off (after the gaps are in). Any element type.
///
/// # Errors
/// `Invalid` when a gap or a resulting size is negative.
pub fn pad(
    ctx: &Ctx,
    operand: &Tensor,
    value: &Tensor,
    low: &[i64],
    high: &[i64],
    interior: &[i64],
) -> Result<Tensor> {
    let shape = operand.shape();
    if [low.len(), high.len(), interior.len()] != [shape.len(); 3] {
        return Err(Diagnostic::invalid(format!(
            "the padding needs one entry for each of the operand's {} dimensions",
            shape.len()
        )));
    }
    if value.element() != operand.element() || value.len() != 1 {
        return Err(Diagnostic::invalid(format!(
            "the padding value must be a scalar of {}, not {}",
            operand.element(),
            value.ty()
        )));
    }
    let mut sizes: SmallVec<[usize; 6]> = SmallVec::new();
    let mut edges: SmallVec<[Edge; 6]> = SmallVec::new();
    for d in 0..shape.len() {
        let edge = edge(shape[d], low[d], high[d], interior[d]).ok_or_else(|| {
            Diagnostic::invalid(format!(
                "dimension {d} of size {} cannot be padded by low {}, high {}, interior {}: \
                 the interior and the result's size must not be negative",
                shape[d], low[d], high[d], interior[d]
            ))
        })?;
        sizes.push(edge.output);
        match edges.last_mut() {
            // A dimension without padding only makes the elements of the outer one longer.
            Some(outer) if edge.is_plain() && outer.step == 1 && edge.input > 0 => {
                let scaled =
                    (outer.output.checked_mul(edge.output), (edge.input as i64).checked_mul(outer.low));
                match scaled {
                    (Some(output), Some(low)) => {
                        *outer = Edge { input: outer.input.saturating_mul(edge.input), output, low, step: 1 };
                    }
                    _ => edges.push(edge),
                }
            }
            _ => edges.push(edge),
        }
    }
    let mut out = ctx.alloc(operand.element(), &sizes)?;
    if !out.is_empty() {
        if edges.iter().all(|e| e.is_plain()) {
            return Ok(operand.clone());
        }
        if operand.is_empty() {
            strided::fill(out.bytes_mut(), value.bytes());
            return Ok(out);
        }
        let width = operand.element().byte_size();
        Padding { width, value: value.bytes() }.run(&edges, out.bytes_mut(), operand.bytes());
    }
    Ok(out)
}

/// `None` when the specification forbids it or a number leaves the range of addressable sizes.
fn edge(n: usize, low: i64, high: i64, interior: i64) -> Option<Edge> {
    let step = u64::try_from(interior).ok()?.checked_add(1).and_then(|s| i64::try_from(s).ok())?;
    let n = i64::try_from(n).ok()?;
    let gaps = (n - 1).max(0).checked_mul(interior)?;
    let output = n.checked_add(gaps)?.checked_add(low)?.checked_add(high)?;
    // Far from overflow, so that `Edge::hit` needs no checks.
    let sane = |x: i64| x.unsigned_abs() < 1 << 60;
    (sane(low) && sane(output)).then_some(())?;
    Some(Edge { input: n as usize, output: usize::try_from(output).ok()?, low, step })
}

struct Padding<'a> {
    width: usize,
    value: &'a [u8],
}

impl Padding<'_> {
    /// Fills `out`, the whole box of `edges`, from `src`. Pieces of about [`CHUNK`] bytes are filled
    /// and then overwritten by the operand's part while they are in cache.
    fn run(&self, edges: &[Edge], out: &mut [u8], src: &[u8]) {
        let Some((&outer, inner)) = edges.split_first() else {
            out.copy_from_slice(src);
            return;
        };
        if out.len() <= CHUNK {
            return self.piece(edges, 0, outer.output, out, src);
        }
        let each = out.len() / outer.output;
        let src_each = inner.iter().map(|e| e.input).product::<usize>() * self.width;
        if each > CHUNK {
            out.par_chunks_mut(each).enumerate().for_each(|(i, out)| match outer.hit(i, i + 1) {
                (first, 1, _) => self.run(inner, out, &src[first * src_each..][..src_each]),
                _ => strided::fill(out, self.value),
            });
            return;
        }
        let per = CHUNK / each;
        out.par_chunks_mut(per * each).enumerate().for_each(|(i, out)| {
            let from = i * per;
            self.piece(edges, from, (from + per).min(outer.output), out, src);
        });
    }

    /// Output rows `from..to` of the outermost dimension.
    fn piece(&self, edges: &[Edge], from: usize, to: usize, out: &mut [u8], src: &[u8]) {
        strided::fill(out, self.value);
        let mut axes: SmallVec<[Axis; 6]> = SmallVec::new();
        let (mut src_at, mut dst_at) = (0, 0);
        let (mut src_stride, mut dst_stride) = (1, 1);
        for (d, e) in edges.iter().enumerate().rev() {
            let (first, n, at) = if d == 0 { e.hit(from, to) } else { e.hit(0, e.output) };
            if n == 0 {
                return;
            }
            src_at += first * src_stride;
            dst_at += at * dst_stride;
            axes.push(Axis { n, src: src_stride, dst: dst_stride.saturating_mul(e.step as usize) });
            src_stride *= e.input;
            dst_stride *= e.output;
        }
        axes.reverse();
        strided::copy(self.width, out, dst_at, src, src_at, &axes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TYPES, assert_same, ctx, numbered, reference, shape};
    use proptest::prelude::*;
    use sim_core::ElementType as E;

    fn check(t: &Tensor, low: &[i64], high: &[i64], interior: &[i64]) {
        let mut value = numbered(t.element(), &[]);
        value.bytes_mut().fill(0xa5);
        let out = pad(&ctx(), t, &value, low, high, interior).unwrap();
        let want = reference(t.element(), out.shape(), |i| {
            let mut at = vec![];
            for d in 0..i.len() {
                let p = i[d] as i64 - low[d];
                if p < 0 || p % (interior[d] + 1) != 0 || p / (interior[d] + 1) >= t.shape()[d] as i64 {
                    return Some((&value, vec![]));
                }
                at.push((p / (interior[d] + 1)) as usize);
            }
            Some((t, at))
        });
        assert_same(&out, &want);
    }

    proptest! {
        #[test]
        fn every_output_is_an_input_or_the_value(
            dims in shape(4, 5), ty in 0..TYPES.len(), seed in proptest::collection::vec((-4i64..5, -4i64..5, 0i64..3), 4),
        ) {
            let t = numbered(TYPES[ty], &dims);
            let (mut low, mut high, mut interior) = (vec![], vec![], vec![]);
            for (&n, &(l, h, k)) in dims.iter().zip(&seed) {
                let n = n as i64;
                let full = n + (n - 1).max(0) * k;
                let l = l.max(-full);
                low.push(l);
                high.push(h.max(-(full + l)));
                interior.push(k);
            }
            check(&t, &low, &high, &interior);
        }
    }

    #[test]
    fn large_arrays_are_split_right() {
        check(&numbered(E::F32, &[300, 70, 5]), &[3, 1, 0], &[2, -2, 0], &[0, 1, 0]);
        check(&numbered(E::F32, &[3, 200, 300]), &[1, 1, 1], &[1, 1, 1], &[1, 0, 0]);
        check(&numbered(E::F32, &[100_000]), &[-7], &[9], &[2]);
    }

    #[test]
    fn impossible_sizes_are_errors() {
        let (t, v) = (numbered(E::F32, &[4]), numbered(E::F32, &[]));
        for (l, h, k) in [(-5, 0, 0), (0, 0, -1), (0, 0, i64::MAX), (i64::MIN, 0, 0), (i64::MAX, i64::MAX, 0)]
        {
            assert!(pad(&ctx(), &t, &v, &[l], &[h], &[k]).is_err(), "{l} {h} {k}");
        }
        assert!(pad(&ctx(), &t, &v, &[1 << 50], &[0], &[0]).is_err());
    }
}
