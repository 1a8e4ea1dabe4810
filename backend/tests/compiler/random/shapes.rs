//! Operations that move values.

use super::program::{Body, Element, LARGEST, Numbers, SIZES, Val, list, ty};

/// The permutation of that number.
fn permutation(rank: usize, mut number: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..rank).rev().collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let at = number % left.len();
        number /= left.len();
        order.push(left.remove(at));
    }
    order
}

impl Body {
    pub fn transpose(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let order = permutation(v.dims.len(), n.below(256));
        let dims: Vec<usize> = order.iter().map(|&i| v.dims[i]).collect();
        let text = format!(
            "stablehlo.transpose {}, dims = [{}] : ({}) -> {}",
            v.name,
            list(order),
            v.ty(),
            ty(&dims, v.element)
        );
        let v = self.put(Val { dims, ..v }, &text);
        self.keep(v);
    }

    /// One dimension becomes two, two become one, one of size 1 comes or goes, or all become one.
    pub fn reshape(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let (how, at, by) = (n.below(5), n.below(v.dims.len()), n.below(8));
        let mut dims = v.dims.clone();
        match how {
            0 if at < dims.len() => {
                let factors: Vec<usize> = (1..=dims[at]).filter(|f| dims[at].is_multiple_of(*f)).collect();
                let factor = factors[by % factors.len()];
                dims[at] /= factor;
                dims.insert(at, factor);
            }
            1 if at + 1 < dims.len() => {
                let next = dims.remove(at + 1);
                dims[at] *= next;
            }
            2 => dims.insert(at, 1),
            3 => dims.retain(|&d| d != 1),
            _ => dims = vec![v.size()],
        }
        if dims.len() > 5 {
            dims = vec![v.size()];
        }
        let v = self.reshaped(&v, &dims);
        self.keep(v);
    }

    pub fn broadcasts(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let mut dims = v.dims.clone();
        let mut to: Vec<usize> = (0..dims.len()).collect();
        for _ in 0..1 + n.below(2) {
            let (at, size) = (n.below(dims.len() + 1), n.of(&SIZES));
            if dims.iter().product::<usize>() * size <= LARGEST && dims.len() < 5 {
                dims.insert(at, size);
                to.iter_mut().filter(|t| **t >= at).for_each(|t| *t += 1);
            }
        }
        // Of one of size 1, many.
        if let Some(k) = to.iter().position(|&t| dims[t] == 1)
            && n.below(2) == 1
            && dims.iter().product::<usize>() * 3 <= LARGEST
        {
            dims[to[k]] = 3;
        }
        let v = self.broadcast(&v, &to, &dims);
        self.keep(v);
    }

    pub fn slice(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let mut dims = Vec::new();
        let mut ranges = Vec::new();
        for &d in &v.dims {
            let start = n.below(d);
            let end = start + 1 + n.below(d - start);
            let stride = [1, 1, 2, 3][n.below(4)];
            dims.push((end - start).div_ceil(stride));
            ranges.push(format!("{start}:{end}:{stride}"));
        }
        let text = format!(
            "stablehlo.slice {} [{}] : ({}) -> {}",
            v.name,
            list(ranges),
            v.ty(),
            ty(&dims, v.element)
        );
        let v = self.put(Val { dims, ..v }, &text);
        self.keep(v);
    }

    pub fn pad(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let fill = self.constant(n.of(&[0.0, 1.0]), &[], v.element);
        let mut dims = Vec::new();
        let [mut low, mut high, mut interior] = [const { Vec::<i64>::new() }; 3];
        for &d in &v.dims {
            let (l, h, i) = ([0, 1, -1, 2][n.below(4)], [0, 1, 0, -1, 3][n.below(5)], [0, 0, 1][n.below(3)]);
            let size = d as i64 + (d as i64 - 1) * i + l + h;
            let kept = size < 1 || dims.iter().product::<usize>() * size as usize > LARGEST;
            let (l, h, i) = if kept { (0, 0, 0) } else { (l, h, i) };
            dims.push(if kept { d } else { size as usize });
            low.push(l);
            high.push(h);
            interior.push(i);
        }
        if dims.iter().product::<usize>() > LARGEST {
            return self.keep(v);
        }
        let text = format!(
            "stablehlo.pad {}, {}, low = [{}], high = [{}], interior = [{}] : ({}, {}) -> {}",
            v.name,
            fill.name,
            list(low),
            list(high),
            list(interior),
            v.ty(),
            fill.ty(),
            ty(&dims, v.element)
        );
        let v = self.put(Val { dims, most: v.most.max(1.0), ..v }, &text);
        self.keep(v);
    }

    pub fn concatenate(&mut self, n: &mut Numbers<'_>) {
        let a = self.pick(n);
        let b = self.pick(n);
        let a = if a.dims.is_empty() { self.reshaped(&a, &[1]) } else { a };
        let at = n.below(a.dims.len());
        let mut dims = a.dims.clone();
        dims[at] = n.of(&SIZES);
        let rest: usize = dims.iter().product();
        if 2 * a.size() + rest > LARGEST {
            return self.keep(a);
        }
        let b = self.fit(&b, &dims, a.element);
        let parts = if n.below(3) == 0 { vec![&a, &b, &a] } else { vec![&a, &b] };
        dims[at] = parts.iter().map(|p| p.dims[at]).sum();
        let text = format!(
            "stablehlo.concatenate {}, dim = {at} : ({}) -> {}",
            list(parts.iter().map(|p| &p.name)),
            list(parts.iter().map(|p| p.ty())),
            ty(&dims, a.element)
        );
        let like = Val { dims, most: a.most.max(b.most), error: a.error.max(b.error), ..a.clone() };
        let v = self.put(like, &text);
        self.keep(v);
    }

    pub fn reverse(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let over: Vec<usize> = (0..v.dims.len()).filter(|_| n.below(2) == 0).collect();
        let text = format!("stablehlo.reverse {}, dims = [{}] : {}", v.name, list(over), v.ty());
        let v = self.put(v, &text);
        self.keep(v);
    }

    /// Starts: a value for some dimensions, 0 or 1 for others.
    fn starts(&mut self, n: &mut Numbers<'_>, rank: usize) -> Vec<Val> {
        let moves = self.index(n);
        let fixed = self.constant(n.of(&[0.0, 1.0]), &[], Element::S32);
        (0..rank).map(|_| if n.below(2) == 0 { moves.clone() } else { fixed.clone() }).collect()
    }

    pub fn dynamic_slice(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let starts = self.starts(n, v.dims.len());
        let dims: Vec<usize> = v.dims.iter().map(|&d| 1 + n.below(d)).collect();
        if dims.is_empty() {
            return self.keep(v);
        }
        let text = format!(
            "stablehlo.dynamic_slice {}, {}, sizes = [{}] : ({}, {}) -> {}",
            v.name,
            list(starts.iter().map(|s| &s.name)),
            list(&dims),
            v.ty(),
            list(starts.iter().map(Val::ty)),
            ty(&dims, v.element)
        );
        let v = self.put(Val { dims, ..v }, &text);
        self.keep(v);
    }

    pub fn dynamic_update_slice(&mut self, n: &mut Numbers<'_>) {
        let (v, part) = (self.pick(n), self.pick(n));
        let starts = self.starts(n, v.dims.len());
        let dims: Vec<usize> = v.dims.iter().map(|&d| 1 + n.below(d)).collect();
        if dims.is_empty() {
            return self.keep(v);
        }
        let part = self.fit(&part, &dims, v.element);
        let text = format!(
            "stablehlo.dynamic_update_slice {}, {}, {} : ({}, {}, {}) -> {}",
            v.name,
            part.name,
            list(starts.iter().map(|s| &s.name)),
            v.ty(),
            part.ty(),
            list(starts.iter().map(Val::ty)),
            v.ty()
        );
        let like = Val { most: v.most.max(part.most), error: v.error.max(part.error), ..v };
        let v = self.put(like, &text);
        self.keep(v);
    }
}
