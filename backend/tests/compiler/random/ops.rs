//! Operations value by value, and which number is which operation.

use super::program::{Body, Element, LARGEST, Numbers, Op, Val, ty};

/// Simple ones first: it is what a failure shrinks to.
const KINDS: [fn(&mut Body, &mut Numbers<'_>, &[Op]); 40] = [
    |b, n, _| b.unary(n),
    |b, n, _| b.binary(n),
    |b, n, _| b.cast(n),
    |b, n, _| b.transpose(n),
    |b, n, _| b.reshape(n),
    |b, n, _| b.broadcasts(n),
    |b, n, _| b.slice(n),
    |b, n, _| b.pad(n),
    |b, n, _| b.concatenate(n),
    |b, n, _| b.reduce(n),
    |b, n, _| b.dot(n),
    |b, n, _| b.select(n),
    |b, n, _| b.compare(n),
    |b, n, _| b.numbered(n),
    |b, n, _| b.dynamic_slice(n),
    |b, n, _| b.dynamic_update_slice(n),
    |b, n, _| b.gather(n),
    |b, n, _| b.scatter(n),
    |b, n, _| b.convolution(n),
    |b, n, _| b.reduce_window(n),
    |b, n, _| b.reverse(n),
    |b, n, _| b.first_largest(n),
    |b, n, _| b.softmax(n),
    |b, n, _| b.barrier(n),
    |b, n, _| b.sort(n),
    Body::repeated,
    Body::branches,
    Body::called,
    |b, n, _| b.binary(n),
    |b, n, _| b.unary(n),
    |b, n, _| b.dot(n),
    |b, n, _| b.dot(n),
    |b, n, _| b.transpose(n),
    |b, n, _| b.reshape(n),
    |b, n, _| b.reduce(n),
    |b, n, _| b.binary(n),
    |b, n, _| b.dynamic_update_slice(n),
    |b, n, _| b.cast(n),
    Body::repeated,
    |b, n, _| b.reshape(n),
];

/// How a function of one value changes errors and sizes.
struct Unary {
    name: &'static str,
    /// Errors grow by.
    slope: f64,
    most: fn(f64) -> f64,
    /// The result is one of few values or a value itself: nothing is rounded.
    is_exact: bool,
    jumps: bool,
}

const fn unary(name: &'static str, slope: f64, most: fn(f64) -> f64) -> Unary {
    Unary { name, slope, most, is_exact: false, jumps: false }
}

const UNARY: [Unary; 10] = [
    Unary { is_exact: true, ..unary("negate", 1.0, |m| m) },
    Unary { is_exact: true, ..unary("abs", 1.0, |m| m) },
    unary("tanh", 1.0, |_| 1.0),
    unary("logistic", 0.25, |_| 1.0),
    unary("exponential", 8.0, |m| m.exp()),
    unary("cosine", 1.0, |_| 1.0),
    unary("sine", 1.0, |_| 1.0),
    Unary { is_exact: true, jumps: true, ..unary("floor", 0.0, |m| m + 1.0) },
    Unary { is_exact: true, jumps: true, ..unary("sign", 0.0, |_| 1.0) },
    Unary { is_exact: true, jumps: true, ..unary("round_nearest_even", 0.0, |m| m + 1.0) },
];

impl Body {
    pub fn operations(&mut self, ops: &[Op]) {
        for op in ops {
            let mut n = Numbers::new(&op.numbers);
            let kind = n.below(KINDS.len());
            KINDS[kind](self, &mut n, &op.inner);
        }
    }

    /// What rounding adds to a value that is computed: nothing for f32 of exact values, whose bits are known.
    fn rounded(&self, v: &Val) -> f64 {
        let exact = v.is_exact() && v.element != Element::Bf16;
        if exact { 0.0 } else { v.error + v.most * v.element.rounding() }
    }

    pub fn binary_of(&mut self, name: &str, a: &Val, b: &Val) -> Val {
        let (most, error) = match name {
            "multiply" => (a.most * b.most, a.most * b.error + b.most * a.error + a.error * b.error),
            "maximum" | "minimum" | "and" | "or" | "xor" => (a.most.max(b.most), a.error.max(b.error)),
            _ => (a.most + b.most, a.error + b.error),
        };
        let most =
            if a.element == Element::S32 && matches!(name, "or" | "xor") { 2.0 * most + 1.0 } else { most };
        let like = Val { most, error, ..a.clone() };
        let chosen = matches!(name, "maximum" | "minimum") || !a.element.is_float();
        let error = if chosen { error } else { self.rounded(&like) };
        let text = format!("stablehlo.{name} {}, {} : {}", a.name, b.name, a.ty());
        self.put(Val { error, ..like }, &text)
    }

    fn binary(&mut self, n: &mut Numbers<'_>) {
        let a = self.pick(n);
        let name = match a.element {
            Element::Pred => n.of(&["and", "or", "xor"]),
            Element::S32 => n.of(&["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor"]),
            _ => n.of(&["add", "multiply", "subtract", "maximum", "minimum", "divide"]),
        };
        let a = self.bounded(&a, 1000.0);
        let b = if a.element.is_float() { self.pick_with(n, &a) } else { self.pick_exact(n) };
        let b = self.fit(&b, &a.dims, a.element);
        let mut b = self.bounded(&b, 1000.0);
        if name == "divide" {
            // By something between 1 and 3.
            b = self.bounded(&b, 1.0);
            let two = self.constant(2.0, &b.dims, b.element);
            b = self.binary_of("add", &b, &two);
            let text = format!("stablehlo.divide {}, {} : {}", a.name, b.name, a.ty());
            let error = a.error + a.most * b.error;
            let like = Val { error, ..a.clone() };
            let error = self.rounded(&like);
            let v = self.put(Val { error, ..like }, &text);
            return self.keep(v);
        }
        let v = self.binary_of(name, &a, &b);
        self.keep(v);
    }

    pub fn unary_of(&mut self, name: &str, v: &Val) -> Val {
        let how = UNARY.iter().find(|u| u.name == name).expect("a known function");
        let v = self.bounded(v, if name == "exponential" { 2.0 } else { 100.0 });
        let most = (how.most)(v.most);
        let error = v.error * how.slope + if how.is_exact { 0.0 } else { most * v.element.rounding() };
        let text = format!("stablehlo.{name} {} : {}", v.name, v.ty());
        self.put(Val { most, error, ..v }, &text)
    }

    fn unary(&mut self, n: &mut Numbers<'_>) {
        let mut v = self.pick(n);
        let how = &UNARY[n.below(UNARY.len())];
        if v.element == Element::Pred {
            let text = format!("stablehlo.not {} : {}", v.name, v.ty());
            v = self.put(v, &text);
        } else {
            let simple = v.element == Element::S32 || how.jumps && !v.is_exact();
            v = self.unary_of(if simple { "negate" } else { how.name }, &v);
        }
        self.keep(v);
    }

    fn cast(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let element = n.of(&Element::ALL);
        let v = self.converted(&v, element);
        self.keep(v);
    }

    fn compare(&mut self, n: &mut Numbers<'_>) {
        let (a, b) = (self.pick_exact(n), self.pick_exact(n));
        let how = n.of(&["LT", "GE", "EQ", "NE", "GT", "LE"]);
        let b = self.fit(&b, &a.dims, a.element);
        // Of what has been rounded, nothing jumps.
        let b = if b.is_exact() { b } else { a.clone() };
        let kind = match a.element {
            Element::Pred => "UNSIGNED",
            Element::S32 => "SIGNED",
            _ => "FLOAT",
        };
        let like = Val { element: Element::Pred, most: 1.0, error: 0.0, ..a.clone() };
        let text = format!(
            "stablehlo.compare {how}, {}, {}, {kind} : ({}, {}) -> {}",
            a.name,
            b.name,
            a.ty(),
            b.ty(),
            ty(&a.dims, Element::Pred)
        );
        let v = self.put(like, &text);
        self.keep(v);
    }

    fn select(&mut self, n: &mut Numbers<'_>) {
        let a = self.pick(n);
        let (b, which) = (self.pick_with(n, &a), self.pick_exact(n));
        let b = self.fit(&b, &a.dims, a.element);
        let which = self.fit(&which, &a.dims, Element::Pred);
        let like = Val { most: a.most.max(b.most), error: a.error.max(b.error), ..a.clone() };
        let text =
            format!("stablehlo.select {}, {}, {} : {}, {}", which.name, a.name, b.name, which.ty(), a.ty());
        let v = self.put(like, &text);
        self.keep(v);
    }

    /// What does not depend on arguments.
    fn numbered(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let element = n.of(&Element::ALL);
        let dimension = n.below(v.dims.len());
        let v = match n.below(3) {
            0 => self.constant(n.of(&[0.0, 1.0, 0.5, 3.0]), &v.dims, element),
            _ => self.iota(&v.dims, dimension, element),
        };
        self.keep(v);
    }

    fn barrier(&mut self, n: &mut Numbers<'_>) {
        let (a, b) = (self.pick(n), self.pick(n));
        let id = self.fresh();
        self.line(&format!(
            "%o{id}:2 = stablehlo.optimization_barrier {}, {} : {}, {}",
            a.name,
            b.name,
            a.ty(),
            b.ty()
        ));
        for (k, v) in [a, b].into_iter().enumerate() {
            self.keep(Val { name: format!("%o{id}#{k}"), ..v });
        }
    }

    /// Along the last dimension, times another array: what attention does.
    fn softmax(&mut self, n: &mut Numbers<'_>) {
        let v = self.pick(n);
        let element = if n.below(2) == 0 { Element::F32 } else { v.element };
        let element = if element.is_float() { element } else { Element::F32 };
        let v = self.converted(&v, element);
        let v = self.bounded(&v, 2.0);
        let Some(last) = v.dims.len().checked_sub(1) else { return self.keep(v) };
        let rows: Vec<usize> = (0..last).collect();
        let largest = self.reduced("maximum", &v, &[last]);
        let largest = self.broadcast(&largest, &rows, &v.dims);
        let x = self.binary_of("subtract", &v, &largest);
        let text = format!("stablehlo.exponential {} : {}", x.name, x.ty());
        let like = Val { most: 1.0, error: x.error + 2.0 * element.rounding(), ..x };
        let x = self.put(like, &text);
        let sum = self.reduced("add", &x, &[last]);
        let wide = self.broadcast(&sum, &rows, &v.dims);
        let text = format!("stablehlo.divide {}, {} : {}", x.name, wide.name, x.ty());
        let like = Val { error: x.error + wide.error + 2.0 * element.rounding(), ..x };
        let weights = self.put(like, &text);
        self.keep(weights.clone());
        if weights.size() <= LARGEST {
            self.product(n, &weights);
        }
    }
}
