//! Programs of StableHLO out of numbers: whatever the numbers are, it is a valid program, so that proptest may shrink them as it likes.
//!
//! An [`Op`] says by its numbers which operation, on which values (0 is the last one that was made), and of which sizes; what is inside
//! loops and branches are `Op`s again. Each value knows how large it may be and how far two correct ways to compute it may be apart: sums
//! in another order, bf16 rounded elsewhere. What jumps (comparisons, integers of floats) is only made of values that are exact.

use proptest::prelude::*;
use std::fmt::Write as _;

pub const NUMBERS: usize = 10;

/// One operation, in numbers.
#[derive(Clone, Debug)]
pub struct Op {
    pub numbers: [u8; NUMBERS],
    pub inner: Vec<Op>,
}

/// A whole program, in numbers.
#[derive(Clone, Debug)]
pub struct Plan {
    pub arguments: Vec<[u8; 6]>,
    pub ops: Vec<Op>,
    pub results: Vec<u8>,
    /// Which chip, and how much of its VMEM is there.
    pub chip: u8,
    pub vmem: u8,
}

pub fn plans() -> impl Strategy<Value = Plan> {
    let leaf = any::<[u8; NUMBERS]>().prop_map(|numbers| Op { numbers, inner: Vec::new() });
    let op = leaf.prop_recursive(2, 16, 5, |inner| {
        (any::<[u8; NUMBERS]>(), prop::collection::vec(inner, 0..6))
            .prop_map(|(numbers, inner)| Op { numbers, inner })
    });
    let arguments = prop::collection::vec(any::<[u8; 6]>(), 1..5);
    let results = prop::collection::vec(any::<u8>(), 1..6);
    (arguments, prop::collection::vec(op, 1..28), results, any::<u8>(), any::<u8>())
        .prop_map(|(arguments, ops, results, chip, vmem)| Plan { arguments, ops, results, chip, vmem })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    F32,
    Bf16,
    S32,
    Pred,
}

impl Element {
    pub const ALL: [Element; 4] = [Element::F32, Element::Bf16, Element::S32, Element::Pred];

    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::Bf16)
    }

    /// What an operation on values up to 1 may be off by, once they are not exact.
    pub fn rounding(self) -> f64 {
        match self {
            Element::F32 => 1.0 / (1u32 << 21) as f64,
            Element::Bf16 => 1.0 / 128.0,
            _ => 0.0,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Element::F32 => "f32",
            Element::Bf16 => "bf16",
            Element::S32 => "i32",
            Element::Pred => "i1",
        }
    }
}

/// A value of the program.
#[derive(Clone, Debug)]
pub struct Val {
    pub name: String,
    pub dims: Vec<usize>,
    pub element: Element,
    /// No value is larger.
    pub most: f64,
    /// How far apart two ways to compute it may be.
    pub error: f64,
}

impl Val {
    pub fn size(&self) -> usize {
        self.dims.iter().product()
    }

    pub fn ty(&self) -> String {
        ty(&self.dims, self.element)
    }

    pub fn is_exact(&self) -> bool {
        self.error == 0.0
    }
}

pub fn ty(dims: &[usize], element: Element) -> String {
    let dims: String = dims.iter().map(|d| format!("{d}x")).collect();
    format!("tensor<{dims}{}>", element.text())
}

pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// The numbers of an operation, one after the other; zeros behind the last.
pub struct Numbers<'a> {
    left: std::slice::Iter<'a, u8>,
}

impl<'a> Numbers<'a> {
    pub fn new(numbers: &'a [u8]) -> Numbers<'a> {
        Numbers { left: numbers.iter() }
    }

    /// Less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.left.next().copied().unwrap_or(0)) % n.max(1)
    }

    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// No array is larger.
pub const LARGEST: usize = 1500;
pub const SIZES: [usize; 12] = [3, 2, 4, 1, 8, 5, 7, 1, 16, 9, 13, 6];

/// A function that is being written: the operations so far, and the values that are in sight.
#[derive(Default)]
pub struct Body {
    pub text: String,
    pub values: Vec<Val>,
    /// Functions that are called.
    pub functions: String,
    next: usize,
}

/// A place to go back to.
pub struct Mark(usize, usize, usize, usize);

impl Body {
    pub fn mark(&self) -> Mark {
        Mark(self.text.len(), self.values.len(), self.functions.len(), self.next)
    }

    pub fn back(&mut self, mark: &Mark) {
        self.text.truncate(mark.0);
        self.values.truncate(mark.1);
        self.functions.truncate(mark.2);
        self.next = mark.3;
    }

    pub fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    /// The result of one operation. It is not in sight before it is kept.
    pub fn put(&mut self, like: Val, operation: &str) -> Val {
        let name = format!("%{}", self.fresh());
        self.line(&format!("{name} = {operation}"));
        Val { name, ..like }
    }

    pub fn keep(&mut self, val: Val) {
        self.values.push(val);
    }

    pub fn pick(&self, n: &mut Numbers<'_>) -> Val {
        self.values[self.values.len() - 1 - self.back_by(n)].clone()
    }

    /// How many values back: often the last, so that operations follow each other.
    fn back_by(&self, n: &mut Numbers<'_>) -> usize {
        let all = self.values.len();
        match n.below(256) {
            0..100 => 0,
            k @ 100..150 => (k % 4).min(all - 1),
            k => k % all,
        }
    }

    /// One to go with `v`: of its sizes, where there is another.
    pub fn pick_with(&self, n: &mut Numbers<'_>, v: &Val) -> Val {
        let like = |o: &&Val| o.dims == v.dims && o.element == v.element && o.name != v.name;
        let fitting: Vec<&Val> = self.values.iter().rev().filter(like).collect();
        match n.below(4) {
            0..3 if !fitting.is_empty() => n.of(&fitting).clone(),
            _ => self.pick(n),
        }
    }

    /// One that is exact: the arguments are.
    pub fn pick_exact(&self, n: &mut Numbers<'_>) -> Val {
        let last = self.values.len() - 1 - self.back_by(n);
        let before = self.values[..=last].iter().rev().chain(&self.values);
        before.into_iter().find(|v| v.is_exact()).cloned().expect("the arguments are exact")
    }

    pub fn constant(&mut self, value: f64, dims: &[usize], element: Element) -> Val {
        let text = match element {
            Element::Pred => (value != 0.0).to_string(),
            Element::S32 => (value as i64).to_string(),
            _ => format!("{value:?}"),
        };
        let ty = ty(dims, element);
        let like = Val { name: String::new(), dims: dims.to_vec(), element, most: value.abs(), error: 0.0 };
        self.put(like, &format!("stablehlo.constant dense<{text}> : {ty}"))
    }

    pub fn iota(&mut self, dims: &[usize], dimension: usize, element: Element) -> Val {
        if dims.is_empty() || element == Element::Pred {
            return self.constant(1.0, dims, element);
        }
        let most = dims[dimension] as f64;
        let like = Val { name: String::new(), dims: dims.to_vec(), element, most, error: 0.0 };
        self.put(like, &format!("stablehlo.iota dim = {dimension} : {}", ty(dims, element)))
    }

    pub fn reshaped(&mut self, v: &Val, dims: &[usize]) -> Val {
        if v.dims == dims {
            return v.clone();
        }
        let to = ty(dims, v.element);
        let like = Val { dims: dims.to_vec(), ..v.clone() };
        self.put(like, &format!("stablehlo.reshape {} : ({}) -> {to}", v.name, v.ty()))
    }

    pub fn broadcast(&mut self, v: &Val, to: &[usize], dims: &[usize]) -> Val {
        let text = format!(
            "stablehlo.broadcast_in_dim {}, dims = [{}] : ({}) -> {}",
            v.name,
            list(to),
            v.ty(),
            ty(dims, v.element)
        );
        self.put(Val { dims: dims.to_vec(), ..v.clone() }, &text)
    }

    /// A float that is at most `most`, an integer that is small.
    pub fn bounded(&mut self, v: &Val, most: f64) -> Val {
        if v.most <= most || v.element == Element::Pred {
            return v.clone();
        }
        if v.element == Element::S32 {
            let limit = self.constant((most as i64 + 1) as f64, &v.dims, v.element);
            let text = format!("stablehlo.remainder {}, {} : {}", v.name, limit.name, v.ty());
            return self.put(Val { most, ..v.clone() }, &text);
        }
        // A power of two rounds nothing.
        let by = (most / v.most).log2().floor().exp2();
        let factor = self.constant(by, &v.dims, v.element);
        let text = format!("stablehlo.multiply {}, {} : {}", v.name, factor.name, v.ty());
        self.put(Val { most: v.most * by, error: v.error * by, ..v.clone() }, &text)
    }

    /// Of another type; what would jump becomes numbers of its own.
    pub fn converted(&mut self, v: &Val, element: Element) -> Val {
        if v.element == element {
            return v.clone();
        }
        if !element.is_float() && !v.is_exact() {
            return self.iota(&v.dims, 0, element);
        }
        let v = &self.bounded(v, 2000.0);
        let exact = element != Element::Bf16 || v.element == Element::Pred;
        let error = v.error + if exact { 0.0 } else { v.most * element.rounding() };
        let most = if element == Element::Pred { 1.0 } else { v.most };
        let to = ty(&v.dims, element);
        let text = format!("stablehlo.convert {} : ({}) -> {to}", v.name, v.ty());
        self.put(Val { element, most, error, ..v.clone() }, &text)
    }

    /// Some array of these sizes and this type made of `v`.
    pub fn fit(&mut self, v: &Val, dims: &[usize], element: Element) -> Val {
        let v = self.converted(v, element);
        if v.dims == dims {
            return v;
        }
        if let Some(to) = places(&v.dims, dims) {
            return self.broadcast(&v, &to, dims);
        }
        let (has, wants) = (v.size(), dims.iter().product::<usize>());
        let mut flat = self.reshaped(&v, &[has]);
        if has > wants {
            let text = format!(
                "stablehlo.slice {} [0:{wants}] : ({}) -> {}",
                flat.name,
                flat.ty(),
                ty(&[wants], element)
            );
            flat = self.put(Val { dims: vec![wants], ..flat }, &text);
        } else if has < wants {
            let fill = self.constant(1.0, &[], element);
            let text = format!(
                "stablehlo.pad {}, {}, low = [0], high = [{}], interior = [0] : ({}, {}) -> {}",
                flat.name,
                fill.name,
                wants - has,
                flat.ty(),
                fill.ty(),
                ty(&[wants], element)
            );
            flat = self.put(Val { dims: vec![wants], most: flat.most.max(1.0), ..flat }, &text);
        }
        self.reshaped(&flat, dims)
    }

    /// A scalar that says where something is.
    pub fn index(&mut self, n: &mut Numbers<'_>) -> Val {
        let v = self.pick_exact(n);
        self.fit(&v, &[], Element::S32)
    }
}

/// Where each dimension is among those of a larger array.
fn places(from: &[usize], to: &[usize]) -> Option<Vec<usize>> {
    let mut at = 0;
    from.iter()
        .map(|d| {
            let place = at + to[at..].iter().position(|t| t == d)?;
            at = place + 1;
            Some(place)
        })
        .collect()
}

fn argument(numbers: &[u8; 6]) -> (Vec<usize>, Element) {
    let mut n = Numbers::new(numbers);
    use Element as E;
    let element = n.of(&[E::F32, E::Bf16, E::F32, E::S32, E::Bf16, E::F32, E::Pred]);
    let mut dims: Vec<usize> = Vec::new();
    for _ in 0..[2, 3, 4, 3, 1, 2, 3, 0][n.below(8)] {
        let size = n.of(&SIZES);
        if dims.iter().product::<usize>() * size <= LARGEST {
            dims.push(size);
        }
    }
    (dims, element)
}

/// The program as text, and the results: what they are, and how exact.
pub fn written(plan: &Plan) -> (String, Vec<Val>) {
    let mut body = Body::default();
    let mut arguments = Vec::new();
    for (i, numbers) in plan.arguments.iter().enumerate() {
        let (dims, element) = argument(numbers);
        let most = if element == Element::S32 { 9.0 } else { 1.0 };
        arguments.push(Val { name: format!("%arg{i}"), dims, element, most, error: 0.0 });
    }
    body.values = arguments.clone();
    body.operations(&plan.ops);
    let results: Vec<Val> = plan.results.iter().map(|&r| body.pick(&mut Numbers::new(&[r]))).collect();
    let mut taken = vec![false; results.len()];
    let mut parameters = Vec::new();
    for (argument, numbers) in arguments.iter().zip(&plan.arguments) {
        let fits = |k: &usize| !taken[*k] && results[*k].ty() == argument.ty();
        let donated = (0..results.len()).find(fits).filter(|_| numbers[5] % 2 == 1);
        let attribute = donated.map_or(String::new(), |k| {
            taken[k] = true;
            format!(" {{tf.aliasing_output = {k} : i32}}")
        });
        parameters.push(format!("{}: {}{attribute}", argument.name, argument.ty()));
    }
    let types = list(results.iter().map(Val::ty));
    let names = list(results.iter().map(|r| &r.name));
    let text = format!(
        "module @m {{\nfunc.func public @main({}) -> ({types}) {{\n{}  return {names} : {types}\n}}\n{}}}\n",
        list(parameters),
        body.text,
        body.functions
    );
    (text, results)
}
