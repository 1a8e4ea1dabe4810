//! `stablehlo.convolution`, without a patch matrix.
//!
//! The input is first padded, dilated and cropped (only where the window says so), keeping its
//! layout. In that padded input, the element under tap `t` and input feature `c` of the window at
//! position `p` lies at `offset(p) + offset(t, c)`: just what the blocked product needs to read the
//! patches in place. So a convolution is a product of positions by (taps, features) with
//! (taps, features) by output features, one per group, in the numerics of a dot.
//!
//! Along `k`, taps are outermost and input features innermost. With few output features to a group,
//! or when the result keeps space innermost, the roles are swapped, and positions run along the lanes.

use super::contract::{Operand, contract};
use super::dot::{offsets, strides, sums};
use super::pack::View;
use crate::xlu::transpose;
use rayon::prelude::*;
use sim_core::ir::op::ConvAttrs;
use sim_core::{Buffer, Ctx, Diagnostic, ElementType, Result, Tensor};

/// One spatial dimension of the window, checked.
#[derive(Clone, Copy, Debug)]
struct Axis {
    input: usize,
    taps: usize,
    stride: usize,
    low: i64,
    lhs_dilation: usize,
    rhs_dilation: usize,
    reversed: bool,
    output: usize,
    /// Size of the padded input that windows reach.
    padded: usize,
}

impl Axis {
    /// Is the padded input the input itself?
    fn plain(&self) -> bool {
        self.low == 0 && self.lhs_dilation == 1 && self.padded <= self.input
    }
}

struct Geometry {
    axes: Vec<Axis>,
    input: [usize; 2],
    kernel: [usize; 2],
    output: [usize; 2],
    input_spatial: Vec<usize>,
    kernel_spatial: Vec<usize>,
    output_spatial: Vec<usize>,
    feature_groups: usize,
    batch_groups: usize,
}

fn geometry(lhs: &[usize], rhs: &[usize], attrs: &ConvAttrs) -> Result<Geometry> {
    let bad = |what: &str| Diagnostic::invalid(format!("convolution of {lhs:?} by {rhs:?}: {what}"));
    let d = &attrs.dims;
    let n = d.input_spatial.len();
    let dims = |spatial: &[i64], a: i64, b: i64, rank: usize| -> Option<(Vec<usize>, [usize; 2])> {
        let mut all: Vec<usize> =
            spatial.iter().chain([&a, &b]).map(|&x| usize::try_from(x).ok()).collect::<Option<_>>()?;
        let mut sorted = all.clone();
        sorted.sort_unstable();
        if rank != n + 2 || sorted.iter().enumerate().any(|(i, &x)| i != x) || sorted.len() != rank {
            return None;
        }
        let pair = all.split_off(n);
        Some((all, [pair[0], pair[1]]))
    };
    let wrong = || bad("dimension numbers are not a permutation of the dimensions");
    let (input_spatial, input) =
        dims(&d.input_spatial, d.input_batch, d.input_feature, lhs.len()).ok_or_else(wrong)?;
    let (kernel_spatial, kernel) =
        dims(&d.kernel_spatial, d.kernel_input_feature, d.kernel_output_feature, rhs.len())
            .ok_or_else(wrong)?;
    let (output_spatial, output) =
        dims(&d.output_spatial, d.output_batch, d.output_feature, n + 2).ok_or_else(wrong)?;
    let groups = |g: i64| usize::try_from(g.max(1)).map_err(|_| bad("group count"));
    let (feature_groups, batch_groups) =
        (groups(attrs.feature_group_count)?, groups(attrs.batch_group_count)?);
    if !lhs[input[1]].is_multiple_of(feature_groups)
        || lhs[input[1]] / feature_groups != rhs[kernel[0]]
        || !lhs[input[0]].is_multiple_of(batch_groups)
        || !rhs[kernel[1]].is_multiple_of(feature_groups * batch_groups)
        || (feature_groups > 1 && batch_groups > 1)
    {
        return Err(bad("features or batch do not divide into the groups"));
    }
    let sizes = |list: &[i64], i: usize| -> Result<usize> {
        match list.get(i) {
            None if list.is_empty() => Ok(1),
            Some(&v) if v > 0 => usize::try_from(v).map_err(|_| bad("window")),
            _ => Err(bad("strides and dilations must be positive, one per spatial dimension")),
        }
    };
    let mut axes = Vec::new();
    for i in 0..n {
        let (stride, lhs_dilation, rhs_dilation) = (
            sizes(&attrs.window_strides, i)?,
            sizes(&attrs.lhs_dilation, i)?,
            sizes(&attrs.rhs_dilation, i)?,
        );
        let (low, high) = attrs.padding.get(i).copied().unwrap_or((0, 0));
        let (size, taps) = (lhs[input_spatial[i]], rhs[kernel_spatial[i]]);
        let dilated = |size: usize, by: usize| match size {
            0 => Some(0i128),
            n => Some((n as i128 - 1).checked_mul(by as i128)? + 1),
        };
        let too_large = || bad("the padded input is too large");
        let total = dilated(size, lhs_dilation).ok_or_else(too_large)? + low as i128 + high as i128;
        let window = dilated(taps, rhs_dilation).ok_or_else(too_large)?;
        let output = if total < window || total <= 0 { 0 } else { (total - window) / stride as i128 + 1 };
        let padded = if output == 0 { 0 } else { (output - 1) * stride as i128 + window };
        let fit = |x: i128| usize::try_from(x).map_err(|_| too_large());
        axes.push(Axis {
            input: size,
            taps,
            stride,
            low,
            lhs_dilation,
            rhs_dilation,
            reversed: attrs.window_reversal.get(i).copied().unwrap_or(false),
            output: fit(output)?,
            padded: fit(padded)?,
        });
    }
    Ok(Geometry {
        axes,
        input,
        kernel,
        output,
        input_spatial,
        kernel_spatial,
        output_spatial,
        feature_groups,
        batch_groups,
    })
}

/// The shape of the result.
///
/// # Errors
/// Attributes that do not fit the shapes.
pub fn convolution_shape(lhs: &[usize], rhs: &[usize], attrs: &ConvAttrs) -> Result<Vec<usize>> {
    let g = geometry(lhs, rhs, attrs)?;
    Ok(result_shape(&g, lhs, rhs))
}

fn result_shape(g: &Geometry, lhs: &[usize], rhs: &[usize]) -> Vec<usize> {
    let mut shape = vec![0; lhs.len()];
    shape[g.output[0]] = lhs[g.input[0]] / g.batch_groups;
    shape[g.output[1]] = rhs[g.kernel[1]];
    for (axis, &d) in g.axes.iter().zip(&g.output_spatial) {
        shape[d] = axis.output;
    }
    shape
}

/// The input with padding, dilation and cropping applied, in its own layout, and its shape.
fn padded(ctx: &Ctx, lhs: &Tensor, g: &Geometry) -> Result<(Buffer, Vec<usize>)> {
    let size = lhs.element().byte_size();
    let mut shape = lhs.shape().to_vec();
    let mut low = vec![0i64; shape.len()];
    let mut dilation = vec![1usize; shape.len()];
    for (axis, &d) in g.axes.iter().zip(&g.input_spatial) {
        shape[d] = axis.padded;
        low[d] = axis.low;
        dilation[d] = axis.lhs_dilation;
    }
    let bytes = sim_core::exec::byte_len(lhs.element(), &shape)?;
    let mut buffer = ctx.scratch(bytes)?;
    let last = shape.len() - 1;
    let row = shape[last] * size;
    let source = lhs.shape();
    let in_row = source[last] * size;
    // Row by row of the result; a row comes from one row of the input, or is zero.
    let to_input = |mut r: usize| -> Option<usize> {
        let mut at = 0;
        let mut stride = 1;
        for d in (0..last).rev() {
            let i = r % shape[d];
            r /= shape[d];
            let shifted = i as i128 - low[d] as i128;
            if shifted < 0 || shifted % dilation[d] as i128 != 0 {
                return None;
            }
            let i = usize::try_from(shifted / dilation[d] as i128).ok().filter(|&i| i < source[d])?;
            at += i * stride;
            stride *= source[d];
        }
        Some(at)
    };
    let straight = dilation[last] == 1;
    let fill = |r: usize, out: &mut [u8]| {
        let Some(from) = to_input(r) else {
            out.fill(0);
            return;
        };
        let from = &lhs.bytes()[from * in_row..(from + 1) * in_row];
        if straight {
            let shift = usize::try_from(low[last].unsigned_abs()).unwrap_or(usize::MAX);
            let (skip, lead) = if low[last] < 0 { (shift, 0) } else { (0, shift) };
            let (skip, lead) = (skip.min(source[last]), lead.min(shape[last]));
            let n = (source[last] - skip).min(shape[last] - lead);
            let (head, rest) = out.split_at_mut(lead * size);
            let (body, tail) = rest.split_at_mut(n * size);
            head.fill(0);
            body.copy_from_slice(&from[skip * size..(skip + n) * size]);
            tail.fill(0);
        } else {
            out.fill(0);
            for i in 0..source[last] {
                let at = i as i128 * dilation[last] as i128 + low[last] as i128;
                if let Some(at) = usize::try_from(at).ok().filter(|&at| at < shape[last]) {
                    out[at * size..(at + 1) * size].copy_from_slice(&from[i * size..(i + 1) * size]);
                }
            }
        }
    };
    if row > 0 {
        const ROWS: usize = 64;
        buffer.bytes_mut().par_chunks_mut(row * ROWS).enumerate().for_each(|(i, rows)| {
            rows.chunks_mut(row).enumerate().for_each(|(j, out)| fill(i * ROWS + j, out));
        });
    }
    Ok((buffer, shape))
}

/// `stablehlo.convolution`. Any dimension numbers, strides, padding (negative too), dilations, window
/// reversal, feature or batch groups, and element types; the arithmetic is that of
/// [`super::dot_general`]. Padding multiplies like any zero, as the specification says.
///
/// # Errors
/// Attributes that do not fit; unsupported types; memory; interruption.
pub fn convolution(
    ctx: &Ctx,
    lhs: Tensor,
    rhs: &Tensor,
    attrs: &ConvAttrs,
    out: ElementType,
) -> Result<Tensor> {
    let g = geometry(lhs.shape(), rhs.shape(), attrs)?;
    let shape = result_shape(&g, lhs.shape(), rhs.shape());
    if shape.contains(&0) {
        return ctx.alloc(out, &shape);
    }
    if lhs.is_empty() || rhs.is_empty() {
        return ctx.alloc_zeroed(out, &shape);
    }
    let (element, images) = (lhs.element(), lhs.shape()[g.input[0]]);
    let (plain, own);
    let (input_bytes, input_shape) = if g.axes.iter().all(Axis::plain) {
        plain = lhs;
        (plain.bytes(), plain.shape().to_vec())
    } else {
        own = padded(ctx, &lhs, &g)?;
        drop(lhs);
        (own.0.bytes(), own.1)
    };
    // The offset tables below: of the rows on either side, and of the products' terms.
    let positions = g.axes.iter().fold(images, |n, a| n.saturating_mul(a.output));
    let features = rhs.shape()[g.kernel[1]];
    let terms = rhs.len() / features;
    let tables = positions.saturating_add(3 * terms + features);
    let _tables = ctx.reserve(tables.saturating_mul(size_of::<usize>()))?;
    let (ls, rs) = (strides(&input_shape), strides(rhs.shape()));
    let batch = images / g.batch_groups;
    let group_features = features / (g.feature_groups * g.batch_groups);
    let channels = rhs.shape()[g.kernel[0]];
    let groups = g.feature_groups * g.batch_groups;

    let positions: Vec<(usize, usize)> =
        g.axes.iter().zip(&g.input_spatial).map(|(a, &d)| (a.output, a.stride * ls[d])).collect();
    let mut taps: Vec<(usize, usize)> =
        g.axes.iter().zip(&g.input_spatial).map(|(a, &d)| (a.taps, a.rhs_dilation * ls[d])).collect();
    taps.push((channels, ls[g.input[1]]));
    let input_ks = offsets(&taps);
    // The kernel's taps, in the same order; a reversed axis is walked from its end.
    let mut kernel_ks = vec![0];
    for (axis, &d) in g.axes.iter().zip(&g.kernel_spatial) {
        let mut taps: Vec<usize> = (0..axis.taps).map(|t| t * rs[d]).collect();
        if axis.reversed {
            taps.reverse();
        }
        kernel_ks = sums(&kernel_ks, &taps);
    }
    let kernel_ks = sums(&kernel_ks, &offsets(&[(channels, rs[g.kernel[0]])]));
    let kernel_rows = offsets(&[(group_features, rs[g.kernel[1]])]);
    let input_group = if g.batch_groups > 1 { batch * ls[g.input[0]] } else { channels * ls[g.input[1]] };
    let kernel_group = group_features * rs[g.kernel[1]];

    let view = |bytes, size, batch, rows, ks| View { bytes, size, batch, rows, ks };
    let input = |batch, rows| Operand {
        element,
        view: view(input_bytes, element.byte_size(), batch, rows, input_ks),
    };
    let kernel = |batch| Operand {
        element: rhs.element(),
        view: view(rhs.bytes(), rhs.element().byte_size(), batch, kernel_rows, kernel_ks),
    };
    let precision = &attrs.precision;
    let space: Vec<usize> = g.axes.iter().map(|a| a.output).collect();
    let n = g.axes.len();
    // Which dimensions of the product make up the result's, in order.
    let mut order = Vec::with_capacity(n + 3);
    let swapped = group_features < 16 || g.output_spatial.iter().any(|&d| d > g.output[1]);
    let product = if swapped {
        // [batch, group, feature, space…]
        let inputs = offsets(&[(batch, ls[g.input[0]]), (groups, input_group)]);
        let kernels = offsets(&[(batch, 0), (groups, kernel_group)]);
        let dims: Vec<usize> = [batch, groups, group_features].into_iter().chain(space).collect();
        (0..n + 2).for_each(|d| match g.output_spatial.iter().position(|&s| s == d) {
            Some(i) => order.push(3 + i as i64),
            None if d == g.output[0] => order.push(0),
            None => order.extend([1, 2]),
        });
        contract(ctx, &kernel(kernels), &input(inputs, offsets(&positions)), precision, None, out, &dims)?
    } else {
        // [group, batch, space…, feature]
        let mut rows = vec![(batch, ls[g.input[0]])];
        rows.extend(&positions);
        let inputs = offsets(&[(groups, input_group)]);
        let kernels = offsets(&[(groups, kernel_group)]);
        let dims: Vec<usize> = [groups, batch].into_iter().chain(space).chain([group_features]).collect();
        (0..n + 2).for_each(|d| match g.output_spatial.iter().position(|&s| s == d) {
            Some(i) => order.push(2 + i as i64),
            None if d == g.output[0] => order.push(1),
            None => order.extend([0, 2 + n as i64]),
        });
        contract(ctx, &input(inputs, offsets(&rows)), &kernel(kernels), precision, None, out, &dims)?
    };
    let kept: Vec<i64> = order.iter().copied().filter(|&d| product.shape()[d as usize] != 1).collect();
    if kept.is_sorted() {
        return Ok(product.reshaped(&shape));
    }
    Ok(transpose(ctx, &product, &order)?.reshaped(&shape))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim_core::Numerics;
    use sim_core::ir::op::ConvDims;

    /// The convolution by its definition, in f64 over integers (exact).
    fn reference(x: &[i8], xs: &[usize], w: &[i8], ws: &[usize], a: &ConvAttrs, os: &[usize]) -> Vec<i64> {
        let d = &a.dims;
        let at = |index: &[usize], shape: &[usize]| index.iter().zip(shape).fold(0, |s, (&i, &n)| s * n + i);
        let count: usize = os.iter().product();
        let channels = ws[d.kernel_input_feature as usize];
        let per_group =
            ws[d.kernel_output_feature as usize] / (a.feature_group_count * a.batch_group_count) as usize;
        let sp = d.input_spatial.len();
        let taps: Vec<usize> = d.kernel_spatial.iter().map(|&s| ws[s as usize]).collect();
        (0..count)
            .map(|mut o| {
                let mut out = vec![0; os.len()];
                for i in (0..os.len()).rev() {
                    out[i] = o % os[i];
                    o /= os[i];
                }
                let f = out[d.output_feature as usize];
                let group = f / per_group;
                let mut sum = 0;
                for mut t in 0..taps.iter().product::<usize>() {
                    let mut xi = vec![0; xs.len()];
                    let mut wi = vec![0; ws.len()];
                    let mut inside = true;
                    for i in (0..sp).rev() {
                        let tap = t % taps[i];
                        t /= taps[i];
                        wi[d.kernel_spatial[i] as usize] =
                            if a.window_reversal[i] { taps[i] - 1 - tap } else { tap };
                        let p = out[d.output_spatial[i] as usize] as i64 * a.window_strides[i]
                            + tap as i64 * a.rhs_dilation[i]
                            - a.padding[i].0;
                        let n = xs[d.input_spatial[i] as usize] as i64;
                        inside &= p >= 0 && p % a.lhs_dilation[i] == 0 && p / a.lhs_dilation[i] < n;
                        xi[d.input_spatial[i] as usize] = (p / a.lhs_dilation[i]).max(0) as usize;
                    }
                    let batches = xs[d.input_batch as usize] / a.batch_group_count as usize;
                    let batch_group = if a.batch_group_count > 1 { group } else { 0 };
                    xi[d.input_batch as usize] = out[d.output_batch as usize] + batch_group * batches;
                    wi[d.kernel_output_feature as usize] = f;
                    for c in 0..channels {
                        let feature_group = if a.feature_group_count > 1 { group } else { 0 };
                        xi[d.input_feature as usize] = c + feature_group * channels;
                        wi[d.kernel_input_feature as usize] = c;
                        if inside {
                            sum += x[at(&xi, xs)] as i64 * w[at(&wi, ws)] as i64;
                        }
                    }
                }
                sum
            })
            .collect()
    }

    fn places(n: usize) -> impl Strategy<Value = Vec<i64>> {
        Just((0..n as i64).collect::<Vec<_>>()).prop_shuffle()
    }

    type Case = (Vec<usize>, Vec<usize>, ConvAttrs);

    fn case() -> impl Strategy<Value = Case> {
        (0usize..3).prop_flat_map(|sp| {
            let axis = (1usize..7, 1usize..4, 1i64..3, -2i64..4, -2i64..4, 1i64..3, 1i64..3, any::<bool>());
            let groups = prop_oneof![Just((1, 1)), Just((3, 1)), Just((1, 2))];
            (
                prop::collection::vec(axis, sp),
                (1usize..3, 1usize..4, 1usize..20),
                groups,
                (places(sp + 2), places(sp + 2), places(sp + 2)),
            )
                .prop_map(|(axes, (batch, channels, features), (fg, bg), (ip, kp, op))| {
                    let split = |p: &[i64]| (p[0], p[1], p[2..].to_vec());
                    let (input_batch, input_feature, input_spatial) = split(&ip);
                    let (kernel_input_feature, kernel_output_feature, kernel_spatial) = split(&kp);
                    let (output_batch, output_feature, output_spatial) = split(&op);
                    let mut xs = vec![0; ip.len()];
                    let mut ws = vec![0; ip.len()];
                    xs[input_batch as usize] = batch * bg as usize;
                    xs[input_feature as usize] = channels * fg as usize;
                    ws[kernel_input_feature as usize] = channels;
                    ws[kernel_output_feature as usize] = features * (fg * bg) as usize;
                    for (i, a) in axes.iter().enumerate() {
                        xs[input_spatial[i] as usize] = a.0;
                        ws[kernel_spatial[i] as usize] = a.1;
                    }
                    let attrs = ConvAttrs {
                        window_strides: axes.iter().map(|a| a.2).collect(),
                        padding: axes.iter().map(|a| (a.3, a.4)).collect(),
                        lhs_dilation: axes.iter().map(|a| a.5).collect(),
                        rhs_dilation: axes.iter().map(|a| a.6).collect(),
                        window_reversal: axes.iter().map(|a| a.7).collect(),
                        dims: ConvDims {
                            input_batch,
                            input_feature,
                            input_spatial,
                            kernel_input_feature,
                            kernel_output_feature,
                            kernel_spatial,
                            output_batch,
                            output_feature,
                            output_spatial,
                        },
                        feature_group_count: fg,
                        batch_group_count: bg,
                        precision: vec![],
                    };
                    (xs, ws, attrs)
                })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(192))]

        #[test]
        fn agrees_with_the_definition((xs, ws, attrs) in case(), seed in 0usize..1000) {
            let values = |n: usize, seed: usize| -> Vec<i8> {
                (0..n).map(|i| ((i + seed).wrapping_mul(2_654_435_761) >> 13) as i8 >> 3).collect()
            };
            let (x, w) = (values(xs.iter().product(), seed), values(ws.iter().product(), seed + 99));
            let (a, b) = (Tensor::from_slice(&xs, &x), Tensor::from_slice(&ws, &w));
            let ctx = Ctx::new(Numerics::tpu(), 1 << 30);
            let got = convolution(&ctx, a.clone(), &b, &attrs, ElementType::S32).unwrap();
            let want = reference(&x, &xs, &w, &ws, &attrs, got.shape());
            prop_assert_eq!(got.as_slice::<i32>().iter().map(|&v| v as i64).collect::<Vec<_>>(), want.clone());
            // Small integers are exact in bf16 too, and their sums in f32.
            let f = |t: &[i8], shape: &[usize]| {
                Tensor::from_slice(shape, &t.iter().map(|&v| v as f32).collect::<Vec<_>>())
            };
            let got = convolution(&ctx, f(&x, &xs), &f(&w, &ws), &attrs, ElementType::F32).unwrap();
            prop_assert_eq!(got.as_slice::<f32>().iter().map(|&v| v as i64).collect::<Vec<_>>(), want);
        }
    }

    #[test]
    fn attributes_that_do_not_fit_are_errors() {
        let dims = ConvDims {
            input_batch: 0,
            input_feature: 1,
            kernel_input_feature: 0,
            kernel_output_feature: 1,
            output_batch: 0,
            output_feature: 1,
            ..ConvDims::default()
        };
        let attrs = ConvAttrs { dims, feature_group_count: 2, batch_group_count: 1, ..ConvAttrs::default() };
        assert!(convolution_shape(&[2, 3], &[3, 4], &attrs).is_err());
        assert_eq!(convolution_shape(&[2, 6], &[3, 4], &attrs).unwrap(), [2, 4]);
    }
}
