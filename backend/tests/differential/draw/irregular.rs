//! Gather, scatter, sort, random bits.

use super::data::{int_info, is_float, literal};
use super::{Draw, Info, Known, MAX_ELEMENTS};
use sim_core::ir::op::{CompareType, Direction, GatherDims, RngAlgorithm, ScatterDims};
use sim_core::ir::{Binary, Op};
use sim_core::{ElementType as E, Type};

/// Windows of an operand that indices point at: the common part of gather and scatter.
struct Windows {
    /// Dimensions of the windows; 1 where the index or the batch chooses.
    sizes: Vec<i64>,
    /// Dimensions that the window has no trace of, sorted.
    collapsed: Vec<i64>,
    batching: Vec<i64>,
    /// Which dimension each part of an index vector is about.
    map: Vec<i64>,
    /// Dimensions of the indices, the index vector's apart.
    batch: Vec<i64>,
    /// Of the indices, for each in `batching`.
    indices_batching: Vec<i64>,
    vector: usize,
    /// Where in the result the window's dimensions stand.
    offset: Vec<i64>,
}

impl Draw {
    pub fn irregular(&mut self) -> Option<()> {
        match self.rng.below(10) {
            0..3 => self.gather(),
            3..6 => self.scatter(),
            6..9 => self.sort(),
            _ => self.random_bits(),
        }
    }

    fn windows(&mut self, x: &Known) -> Option<Windows> {
        if x.dims.contains(&0) {
            return None;
        }
        let order = self.rng.permutation(x.rank());
        let batched = usize::from(x.rank() >= 2 && self.rng.chance(20));
        let batching = order[..batched].to_vec();
        let mapped = self.rng.below(3.min(x.rank() - batched) + 1);
        let map = order[batched..batched + mapped].to_vec();
        let mut sizes: Vec<i64> = x.dims.iter().map(|&d| self.rng.range(1, d.min(100))).collect();
        let mut collapsed = Vec::new();
        for (size, (at, &whole)) in sizes.iter_mut().zip((0..).zip(&x.dims)) {
            if batching.contains(&at) {
                *size = 1;
            } else if map.contains(&at) && self.rng.chance(60) || self.rng.chance(10) {
                *size = 1;
                collapsed.push(at);
            } else if !map.contains(&at) && self.rng.chance(70) {
                *size = whole;
            }
        }
        let mut batch: Vec<i64> = (0..self.rng.below(3)).map(|_| self.rng.range(1, 6)).collect();
        let mut indices_batching = Vec::new();
        for &d in &batching {
            let at = self.rng.below(batch.len() + 1);
            batch.insert(at, x.dims[d as usize]);
            indices_batching.push(at as i64);
        }
        // The index vector may stand anywhere, which moves the batch dimensions behind it; left out
        // (at the end) if it has one part.
        let vector = self.rng.below(batch.len() + 1);
        for b in &mut indices_batching {
            *b += i64::from(*b >= vector as i64);
        }
        let kept = x.rank() - collapsed.len() - batching.len();
        let mut offset = self.rng.permutation(kept + batch.len());
        offset.truncate(kept);
        offset.sort_unstable();
        Some(Windows { sizes, collapsed, batching, map, batch, indices_batching, vector, offset })
    }

    fn index_operand(&mut self, x: &Known, w: &Windows) -> Option<Known> {
        let mut dims = w.batch.clone();
        dims.insert(w.vector, w.map.len() as i64);
        let sizes: Vec<i64> = w.map.iter().map(|&d| x.dims[d as usize] - w.sizes[d as usize] + 1).collect();
        let spill = if self.rng.chance(30) { 2 } else { 0 };
        if sizes.is_empty() {
            return self.one(
                literal(E::S32, &dims, &[]),
                &[],
                Type::tensor(E::S32, &dims),
                int_info(E::S32, 0.0, 0.0),
            );
        }
        self.indices(&dims, &sizes, w.vector, spill)
    }

    fn gather(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1)?;
        let w = self.windows(&x)?;
        let indices = self.index_operand(&x, &w)?;
        let dims = GatherDims {
            offset_dims: w.offset,
            collapsed_slice_dims: w.collapsed,
            operand_batching_dims: w.batching,
            start_indices_batching_dims: w.indices_batching,
            start_index_map: w.map,
            index_vector_dim: w.vector as i64,
        };
        let sorted = Some(false);
        self.inferred(Op::Gather { dims, slice_sizes: w.sizes, sorted }, &[&x, &indices], x.info).map(|_| ())
    }

    fn scatter(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1 && !k.info.wild)?;
        let w = self.windows(&x)?;
        let points: i64 = w.batch.iter().product();
        if w.map.is_empty() && points > 1 {
            return None; // Every window at 0: XLA spreads them over the operand instead.
        }
        let indices = self.index_operand(&x, &w)?;
        // The shape of the updates: windows at `offset`, batch dimensions elsewhere, in order.
        let mut windows = (0..x.rank())
            .filter(|&d| !w.collapsed.contains(&(d as i64)) && !w.batching.contains(&(d as i64)))
            .map(|d| w.sizes[d]);
        let mut batch = w.batch.iter().copied();
        let rank = w.offset.len() + w.batch.len();
        let dims: Vec<i64> = (0..rank as i64)
            .map(|i| if w.offset.contains(&i) { windows.next() } else { batch.next() })
            .collect::<Option<_>>()?;
        if dims.iter().product::<i64>() as usize > MAX_ELEMENTS {
            return None;
        }
        let updates = self.like(x.element, &dims, |i| !i.wild)?;
        let joined = Known { info: x.info.join(updates.info), ..x.clone() };
        let body = if points == 1 && self.rng.chance(70) {
            // Overwrites: nothing is written twice.
            let e = x.element;
            (self.scalar_region(&[e, e], |_, a| vec![a[1]]), joined.info)
        } else {
            let (op, _, info) = self.combine(&joined, points as f64 + 1.0, true)?;
            let info = if is_float(x.element) { info.join(joined.info) } else { info };
            (self.body(op, x.element), info)
        };
        let dims = ScatterDims {
            update_window_dims: w.offset,
            inserted_window_dims: w.collapsed,
            input_batching_dims: w.batching,
            scatter_indices_batching_dims: w.indices_batching,
            scatter_dims_to_operand_dims: w.map,
            index_vector_dim: w.vector as i64,
        };
        let op = Op::Scatter { dims, sorted: Some(false), unique: Some(false) };
        let info = Info { pristine: false, ..body.1 };
        self.with_region(op, &[&x, &indices, &updates], &[body.0], &[info])
    }

    /// One key; or one with a passenger; or two keys.
    fn sort(&mut self) -> Option<()> {
        let x = self.find(|k| {
            let ordered = !k.info.wild || k.info.pristine && k.element.bits() > 8;
            k.rank() >= 1 && k.info.exact() && !k.element.is_complex() && ordered
        })?;
        let dim = self.rng.below(x.rank()) as i64;
        let total = is_float(x.element) && x.info.wild;
        let kind = |e: E, total: bool| match () {
            () if total => CompareType::TotalOrder,
            () if is_float(e) => CompareType::Float,
            () if e.is_signed() => CompareType::Signed,
            () => CompareType::Unsigned,
        };
        let direction = if self.rng.chance(60) { Direction::Lt } else { Direction::Gt };
        let two = self.rng.chance(60);
        let mut operands = vec![x.clone()];
        if two {
            let element = *self.rng.pick(&self.elements.clone());
            operands.push(self.like(element, &x.dims, |_| true)?);
        }
        let second = operands
            .get(1)
            .filter(|y| y.info.exact() && !y.info.wild && !y.element.is_complex() && self.rng.chance(40));
        let second = second.map(|y| y.element);
        let args: Vec<E> = operands.iter().flat_map(|k| [k.element; 2]).collect();
        let body = self.scalar_region(&args, |d, a| {
            let op = |direction, ty| Op::Compare { direction, ty };
            let ty = kind(args[0], total);
            let before = d.scalar(op(direction, ty), &a[..2], E::Pred);
            let Some(e) = second else { return vec![before] };
            let tie = d.scalar(op(Direction::Eq, ty), &a[..2], E::Pred);
            let next = d.scalar(op(Direction::Lt, kind(e, false)), &a[2..4], E::Pred);
            let both = d.scalar(Op::Binary(Binary::And), &[tie, next], E::Pred);
            vec![d.scalar(Op::Binary(Binary::Or), &[before, both], E::Pred)]
        });
        let infos: Vec<Info> = operands.iter().map(|k| Info { pristine: false, ..k.info }).collect();
        let operands: Vec<&Known> = operands.iter().collect();
        let stable = two || self.rng.chance(50);
        self.with_region(Op::Sort { dim, stable }, &operands, &[body], &infos)
    }

    fn random_bits(&mut self) -> Option<()> {
        let state = self.like(E::U64, &[2], |_| true)?;
        let element = *self.rng.pick(&[E::U32, E::U64, E::U32]);
        let dims = self.rng.pick(&self.shapes.clone()).clone();
        let full = |e: E| int_info(e, 0.0, f64::INFINITY);
        let types = [state.ty(), Type::tensor(element, &dims)];
        let op = Op::RngBitGenerator(RngAlgorithm::ThreeFry);
        self.push(op, &[&state], &[], &types, &[full(E::U64), full(element)]);
        Some(())
    }
}
