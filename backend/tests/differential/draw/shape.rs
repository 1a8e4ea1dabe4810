//! Operations that move data.

use super::data::{int_info, is_float, largest_whole, literal};
use super::{Draw, Info, Known, MAX_ELEMENTS};
use sim_core::ir::{Binary, Op};
use sim_core::{ElementType as E, Type};

impl Draw {
    pub fn movement(&mut self) -> Option<()> {
        match self.rng.below(14) {
            0 | 1 => self.broadcast(),
            2 => self.reshape(),
            3 | 4 => self.transpose(),
            5 => self.reverse(),
            6 | 7 => self.slice(),
            8 => self.dynamic_slice(),
            9 => self.dynamic_update_slice(),
            10 | 11 => self.pad(),
            12 => self.concatenate(),
            _ => self.iota(),
        }
    }

    fn broadcast(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() <= 4)?;
        // Into a shape of the program, if one has room for all of its dimensions.
        let target = if self.rng.chance(60) {
            self.rng.pick(&self.shapes.clone()).clone()
        } else {
            let mut dims = x.dims.clone();
            for _ in 0..self.rng.below(3) {
                let at = self.rng.below(dims.len() + 1);
                dims.insert(at, self.rng.range(1, 5));
            }
            dims
        };
        let free: Vec<usize> = (0..target.len()).collect();
        let mut dims = Vec::new();
        for &size in &x.dims {
            let fits: Vec<usize> = free
                .iter()
                .copied()
                .filter(|&i| (size == target[i] || size == 1) && !dims.contains(&(i as i64)))
                .collect();
            if fits.is_empty() {
                return None;
            }
            dims.push(*self.rng.pick(&fits) as i64);
        }
        if target.iter().product::<i64>() as usize > MAX_ELEMENTS {
            return None;
        }
        self.one(Op::BroadcastInDim { dims }, &[&x], Type::tensor(x.element, &target), x.info).map(|_| ())
    }

    fn reshape(&mut self) -> Option<()> {
        let x = self.find(|_| true)?;
        let mut dims = x.dims.clone();
        match self.rng.below(4) {
            0 => dims = vec![x.len() as i64],
            1 if dims.len() >= 2 => {
                let i = self.rng.below(dims.len() - 1);
                let merged = dims.remove(i);
                dims[i] *= merged;
            }
            2 if !dims.is_empty() => {
                let i = self.rng.below(dims.len());
                let divisor = (2..=dims[i].min(7)).find(|d| dims[i] % d == 0)?;
                dims[i] /= divisor;
                dims.insert(i + self.rng.below(2), divisor);
            }
            _ => {
                let at = self.rng.below(dims.len() + 1);
                dims.insert(at, 1);
            }
        }
        if dims.len() > 6 {
            return None;
        }
        self.one(Op::Reshape, &[&x], Type::tensor(x.element, &dims), x.info).map(|_| ())
    }

    fn transpose(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 2)?;
        let permutation = self.rng.permutation(x.rank());
        self.inferred(Op::Transpose { permutation }, &[&x], x.info).map(|_| ())
    }

    fn reverse(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1)?;
        let mut dims = self.rng.permutation(x.rank());
        dims.truncate(1 + self.rng.below(x.rank()));
        self.inferred(Op::Reverse { dims }, &[&x], x.info).map(|_| ())
    }

    fn slice(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1)?;
        let (mut start, mut limit, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        for &size in &x.dims {
            let low = if self.rng.chance(50) { 0 } else { self.rng.range(0, size) };
            start.push(low);
            limit.push(if self.rng.chance(50) { size } else { self.rng.range(low, size) });
            strides.push(if self.rng.chance(70) { 1 } else { self.rng.range(1, 3) });
        }
        self.inferred(Op::Slice { start, limit, strides }, &[&x], x.info).map(|_| ())
    }

    /// Scalar indices, in and out of bounds. XLA:CPU takes unsigned ones beyond 2^31 for negative.
    pub fn starts(&mut self, count: usize) -> Option<Vec<Known>> {
        let element = *self.rng.pick(&[E::S32, E::S32, E::S64, E::U32]);
        (0..count).map(|_| self.like(element, &[], |i| i.high < 2f64.powi(31))).collect()
    }

    fn dynamic_slice(&mut self) -> Option<()> {
        let x = self.find(|_| true)?;
        let sizes: Vec<i64> = x.dims.iter().map(|&d| self.rng.range(0.min(d), d).max(1.min(d))).collect();
        let starts = self.starts(x.rank())?;
        let operands: Vec<&Known> = std::iter::once(&x).chain(&starts).collect();
        self.inferred(Op::DynamicSlice { sizes }, &operands, x.info).map(|_| ())
    }

    fn dynamic_update_slice(&mut self) -> Option<()> {
        let x = self.find(|_| true)?;
        let sizes: Vec<i64> = x.dims.iter().map(|&d| self.rng.range(1.min(d), d)).collect();
        let update = self.like(x.element, &sizes, |_| true)?;
        let starts = self.starts(x.rank())?;
        let operands: Vec<&Known> = [&x, &update].into_iter().chain(&starts).collect();
        self.inferred(Op::DynamicUpdateSlice, &operands, x.info.join(update.info)).map(|_| ())
    }

    fn pad(&mut self) -> Option<()> {
        let x = self.find(|_| true)?;
        let value = self.like(x.element, &[], |_| true)?;
        let (mut low, mut high, mut interior) = (Vec::new(), Vec::new(), Vec::new());
        for &size in &x.dims {
            let inside = if self.rng.chance(25) { self.rng.range(1, 2) } else { 0 };
            let whole = size + (size - 1).max(0) * inside;
            let mut edge = || if self.rng.chance(25) { -self.rng.range(0, 2) } else { self.rng.range(0, 3) };
            let (l, h) = (edge(), edge());
            low.push(l);
            high.push(if whole + l + h < 0 { -l - whole } else { h });
            interior.push(inside);
        }
        self.inferred(Op::Pad { low, high, interior }, &[&x, &value], x.info.join(value.info)).map(|_| ())
    }

    fn concatenate(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1)?;
        let dim = self.rng.below(x.rank());
        let mut parts = vec![x.clone()];
        for _ in 0..self.rng.below(3) {
            let mut dims = x.dims.clone();
            if self.rng.chance(40) {
                dims[dim] = self.rng.range(0, 3);
            }
            parts.push(self.like(x.element, &dims, |_| true)?);
        }
        self.rng.shuffle(&mut parts);
        let info = parts.iter().fold(x.info, |i, k| i.join(k.info));
        let operands: Vec<&Known> = parts.iter().collect();
        self.inferred(Op::Concatenate { dim: dim as i64 }, &operands, info).map(|_| ())
    }

    fn iota(&mut self) -> Option<()> {
        let dims = self.rng.pick(&self.shapes.clone()).clone();
        let element = *self.rng.pick(&self.elements.clone());
        if dims.is_empty() || element == E::Pred {
            return None;
        }
        let dim = self.rng.below(dims.len());
        let last = (dims[dim] - 1).max(0) as f64;
        let float = is_float(element) || element.is_complex();
        if float && last > largest_whole(element) || !float && last > super::data::int_range(element).1 {
            return None;
        }
        let info = if float {
            Info { low: 0.0, high: last, whole: true, pristine: false, ..int_info(E::Pred, 0.0, 1.0) }
        } else {
            int_info(element, 0.0, last)
        };
        self.one(Op::Iota { dim: dim as i64 }, &[], Type::tensor(element, &dims), info).map(|_| ())
    }

    /// Integers between 0 and `size - 1` (or beyond, a few), of this shape.
    pub fn indices(&mut self, dims: &[i64], sizes: &[i64], vector: usize, spill: i64) -> Option<Known> {
        let element = *self.rng.pick(&[E::S32, E::S64, E::U32, E::S32]);
        let n = dims.iter().product::<i64>() as usize;
        if n > 5000 {
            return None;
        }
        let inner: usize = dims[(vector + 1).min(dims.len())..].iter().product::<i64>().max(1) as usize;
        let low = if element.is_unsigned() { 0 } else { -spill };
        let values: Vec<f64> = (0..n)
            .map(|i| {
                let part = if vector < dims.len() { (i / inner) % sizes.len() } else { 0 };
                self.rng.range(low, (sizes[part] - 1).max(0) + spill) as f64
            })
            .collect();
        let info = int_info(element, -1e3, 1e3);
        self.one(literal(element, dims, &values), &[], Type::tensor(element, dims), info)
    }

    /// `a + a` and the like: a value computed, not read.
    pub fn doubled(&mut self, k: &Known) -> Option<Known> {
        let info = super::elementwise::binary_float(Binary::Add, k.element, k.info, k.info)?;
        self.one(Op::Binary(Binary::Add), &[k, k], k.ty(), info)
    }
}
