//! Dot products and convolutions.

use super::data::{is_float, rounding};
use super::elementwise::float_info;
use super::{Draw, Info, Known, MAX_ELEMENTS};
use sim_core::ir::Op;
use sim_core::ir::op::{ConvAttrs, ConvDims, DotDims, Precision};
use sim_core::{ElementType as E, Type};

/// Of a sum of `n` products.
fn products(x: &Known, y: &Known, n: f64) -> Option<Info> {
    let e = x.element;
    if !is_float(e) && !e.is_complex() {
        let size = n * x.info.size() * y.info.size();
        return Some(super::data::int_info(e, if e.is_signed() { -size } else { 0.0 }, size));
    }
    let n = n.max(1.0) * if e.is_complex() { 2.0 } else { 1.0 };
    let (a, b) = (x.info.size() + x.info.error, y.info.size() + y.info.error);
    let whole = x.info.whole && y.info.whole && x.info.exact() && y.info.exact();
    let sum = n * a * b;
    let error = if whole { 0.0 } else { n * (a * y.info.error + b * x.info.error) + n * sum * rounding(e) };
    float_info(e, -sum, sum, error, whole)
}

impl Draw {
    pub fn contraction(&mut self) -> Option<()> {
        if self.rng.chance(75) { self.dot() } else { self.convolution() }
    }

    fn dot(&mut self) -> Option<()> {
        let fits = |k: &Known| !k.info.wild && k.element != E::Pred && k.element.bits() >= 8;
        let x =
            self.find(|k| fits(k) && k.rank() <= 4 && k.element != E::F8E4M3FN && k.element != E::F8E5M2)?;
        let order = self.rng.permutation(x.rank());
        let batch = if x.rank() >= 2 { self.rng.below(2.min(x.rank() - 1) + 1) } else { 0 };
        let contract = self.rng.below(3.min(x.rank() - batch + 1));
        let lhs_batch = order[..batch].to_vec();
        let lhs_contract = order[batch..batch + contract].to_vec();
        // The right side: the same dimensions and free ones, in any order.
        let free = self.rng.below(3);
        let places = self.rng.permutation(batch + contract + free);
        let mut dims = vec![0; places.len()];
        for (&place, &d) in places.iter().zip(lhs_batch.iter().chain(&lhs_contract)) {
            dims[place as usize] = x.dims[d as usize];
        }
        for &place in &places[batch + contract..] {
            dims[place as usize] = self.rng.range(1, 6);
        }
        let rhs_batch = places[..batch].to_vec();
        let rhs_contract = places[batch..batch + contract].to_vec();
        let n: f64 = lhs_contract.iter().map(|&d| x.dims[d as usize] as f64).product();
        if dims.iter().product::<i64>() as usize > MAX_ELEMENTS || n > 100_000.0 {
            return None;
        }
        let y = self.like(x.element, &dims, |i| !i.wild)?;
        let (x, y) = if self.rng.chance(10) { (self.doubled(&x)?, y) } else { (x, y) };
        let info = products(&x, &y, n)?;
        let dims = DotDims { lhs_batch, rhs_batch, lhs_contract, rhs_contract };
        let precision = if self.rng.chance(50) { vec![] } else { vec![Precision::Highest; 2] };
        self.inferred_as(Op::DotGeneral { dims, precision, algorithm: None }, &[&x, &y], info, x.element)
    }

    /// A result type of which the shape is inferred and the element type is ours to say.
    fn inferred_as(&mut self, op: Op, operands: &[&Known], info: Info, element: E) -> Option<()> {
        let dims: Vec<i64> = match &op {
            Op::DotGeneral { dims: d, .. } => {
                let (x, y) = (operands[0], operands[1]);
                let rest = |k: &Known, used: [&Vec<i64>; 2]| {
                    (0..k.rank())
                        .filter(|i| used.iter().all(|u| !u.contains(&(*i as i64))))
                        .map(|i| k.dims[i])
                        .collect::<Vec<i64>>()
                };
                let batch = d.lhs_batch.iter().map(|&b| x.dims[b as usize]);
                batch
                    .chain(rest(x, [&d.lhs_batch, &d.lhs_contract]))
                    .chain(rest(y, [&d.rhs_batch, &d.rhs_contract]))
                    .collect()
            }
            _ => return None,
        };
        if dims.iter().product::<i64>() as usize > MAX_ELEMENTS {
            return None;
        }
        self.one(op, operands, Type::tensor(element, &dims), info).map(|_| ())
    }

    fn convolution(&mut self) -> Option<()> {
        let element = *self.rng.pick(&[E::F32, E::F32, E::F64, E::BF16, E::S32]);
        let spatial = 1 + self.rng.below(2);
        let rank = spatial + 2;
        let groups = if self.rng.chance(25) { 2 } else { 1 };
        let batch_groups = if groups == 1 && self.rng.chance(15) { 2 } else { 1 };
        let batch = self.rng.range(1, 2) * batch_groups;
        let features = self.rng.range(1, 3) * groups;
        let outputs = self.rng.range(1, 3) * groups * batch_groups;
        // Where each dimension stands: (first, second, spatial…) of input, kernel and output.
        let (i, k, o) = (self.rng.permutation(rank), self.rng.permutation(rank), self.rng.permutation(rank));
        let dims = ConvDims {
            input_batch: i[0],
            input_feature: i[1],
            input_spatial: i[2..].to_vec(),
            kernel_input_feature: k[0],
            kernel_output_feature: k[1],
            kernel_spatial: k[2..].to_vec(),
            output_batch: o[0],
            output_feature: o[1],
            output_spatial: o[2..].to_vec(),
        };
        let sizes: Vec<i64> = (0..spatial).map(|_| self.rng.range(3, 9)).collect();
        let window: Vec<i64> = (0..spatial).map(|_| self.rng.range(1, 3)).collect();
        let place = |order: &[i64], sizes: &[i64]| {
            let mut dims = vec![0; rank];
            for (&at, &size) in order.iter().zip(sizes) {
                dims[at as usize] = size;
            }
            dims
        };
        let lhs = place(&i, &[&[batch, features], &sizes[..]].concat());
        let rhs = place(&k, &[&[features / groups, outputs], &window[..]].concat());
        let mut ones = |percent: usize, most: i64| -> Vec<i64> {
            (0..spatial).map(|_| if self.rng.chance(percent) { self.rng.range(1, most) } else { 1 }).collect()
        };
        let (window_strides, lhs_dilation, rhs_dilation) = (ones(40, 3), ones(20, 2), ones(20, 2));
        let padding = (0..spatial).map(|_| (self.rng.range(0, 2), self.rng.range(0, 2))).collect();
        let attrs = ConvAttrs {
            window_strides,
            padding,
            lhs_dilation,
            rhs_dilation,
            window_reversal: vec![],
            dims,
            feature_group_count: groups,
            batch_group_count: batch_groups,
            precision: vec![],
        };
        let x = self.like(element, &lhs, |i| !i.wild)?;
        let y = self.like(element, &rhs, |i| !i.wild)?;
        let n = window.iter().product::<i64>() * features / groups;
        let info = products(&x, &y, n as f64)?;
        if n as f64 * x.info.size() * y.info.size() > 1e9 {
            return None; // XLA:CPU convolves integers in floating point, and they saturate.
        }
        let op = Op::Convolution(Box::new(attrs));
        let types = [x.ty(), y.ty()];
        // The shape is inferred from the operands; the element type is theirs.
        let result = sim_core::ir::infer::infer(&op, &types, &[]);
        let result = match result {
            Ok(types) => types[0].clone(),
            Err(_) => {
                let Op::Convolution(a) = &op else { return None };
                let mut out = vec![0; rank];
                out[o[0] as usize] = batch / batch_groups;
                out[o[1] as usize] = outputs;
                for s in 0..spatial {
                    let dilated = |n: i64, d: i64| if n == 0 { 0 } else { (n - 1) * d + 1 };
                    let padded = dilated(sizes[s], a.lhs_dilation[s]) + a.padding[s].0 + a.padding[s].1;
                    let reach = dilated(window[s], a.rhs_dilation[s]);
                    out[o[2 + s] as usize] =
                        if reach > padded { 0 } else { (padded - reach) / a.window_strides[s] + 1 };
                }
                Type::tensor(element, &out)
            }
        };
        self.one(op, &[&x, &y], result, info).map(|_| ())
    }
}
