//! Elementwise operations, copies, norms and gathers.

use super::{Program, by};
use crate::stablehlo::{Array, Body, Element, Reduce, Val, array, module};

fn program(what: &str, arguments: &[Array], build: impl FnOnce(&mut Body, &[Val]) -> Vec<Val>) -> Program {
    let name =
        format!("{what}_{}_{}", arguments[0].element.text().to_ascii_lowercase(), by(&arguments[0].dims));
    Program::new(name, module("jit_f", arguments, build))
}

/// What is done to each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Exp,
    Rsqrt,
    Silu,
    Tanh,
    Sigmoid,
    Relu,
}

impl Unary {
    /// By its name in a row's text.
    pub fn named(word: &str) -> Option<Unary> {
        Some(match word {
            "exp" => Unary::Exp,
            "rsqrt" => Unary::Rsqrt,
            "silu" => Unary::Silu,
            "tanh" => Unary::Tanh,
            "sigmoid" => Unary::Sigmoid,
            "relu" => Unary::Relu,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Unary::Exp => "exp",
            Unary::Rsqrt => "rsqrt",
            Unary::Silu => "silu",
            Unary::Tanh => "tanh",
            Unary::Sigmoid => "sigmoid",
            Unary::Relu => "relu",
        }
    }

    pub(super) fn of(self, b: &mut Body, x: &Val) -> Val {
        match self {
            Unary::Exp => b.unary("exponential", x),
            Unary::Rsqrt => b.unary("rsqrt", x),
            Unary::Tanh => b.unary("tanh", x),
            Unary::Relu => b.with_number("maximum", x, 0.0),
            Unary::Sigmoid => sigmoid(b, x),
            Unary::Silu => {
                let s = sigmoid(b, x);
                b.binary("multiply", x, &s)
            }
        }
    }
}

/// `1 / (1 + exp(-x))`, as JAX lowers it.
fn sigmoid(b: &mut Body, x: &Val) -> Val {
    let n = b.unary("negate", x);
    let e = b.unary("exponential", &n);
    let under = b.with_number("add", &e, 1.0);
    let one = b.constant(1.0, array(&[], x.ty.element));
    let one = b.broadcast(&one, &[], &x.ty.dims);
    b.binary("divide", &one, &under)
}

/// A function of every element, once.
pub fn map(what: Unary, of: &Array) -> Program {
    program(what.name(), std::slice::from_ref(of), |b, v| vec![what.of(b, &v[0])])
}

/// `x op y`, once: `add`, `multiply`, `subtract`, `divide`, `maximum`.
pub fn add(op: &str, of: &Array) -> Program {
    program(op, &[of.clone(), of.clone()], |b, v| vec![b.binary(op, &v[0], &v[1])])
}

/// `x + 1`, once.
pub fn add_one(of: &Array) -> Program {
    program("add-one", std::slice::from_ref(of), |b, v| vec![b.with_number("add", &v[0], 1.0)])
}

/// `x * 1.5`, once.
pub fn scale(of: &Array) -> Program {
    program("scale", std::slice::from_ref(of), |b, v| vec![b.with_number("multiply", &v[0], 1.5)])
}

/// `x * 1.5 + y`, once.
pub fn triad(of: &Array) -> Program {
    program("triad", &[of.clone(), of.clone()], |b, v| {
        let scaled = b.with_number("multiply", &v[0], 1.5);
        vec![b.binary("add", &scaled, &v[1])]
    })
}

/// `x.copy()`, once: the argument stays, so that the compiler must copy.
pub fn copy(of: &Array) -> Program {
    program("copy", std::slice::from_ref(of), |_, v| vec![v[0].clone()])
}

/// What a chain does at each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chained {
    /// `a = a + b`
    Add,
    /// `a = exp(-abs(a))`
    Exp,
    /// `s = 1e-9 * sum(exp(-(a + s)))`: reads and writes nothing.
    Read,
}

/// `length` steps of one program, each of which needs all of the one before; the sum of what is left at the end.
pub fn chained(what: Chained, of: &Array, length: u64) -> Program {
    let element = of.element;
    let (name, arguments) = match what {
        Chained::Add => ("add", vec![of.clone(), of.clone()]),
        Chained::Exp => ("exp", vec![of.clone()]),
        Chained::Read => ("read", vec![of.clone()]),
    };
    program(&format!("{name}-chain{length}"), &arguments, |b, v| match what {
        Chained::Add => {
            let out = b.scan(length, &v[1..], &v[..1], |b, c, x| vec![b.binary("add", &x[0], &c[0])]);
            vec![b.sum_all(&out[0])]
        }
        Chained::Exp => {
            let out = b.scan(length, &[], v, |b, _, x| {
                let a = b.unary("abs", &x[0]);
                let a = b.unary("negate", &a);
                vec![b.unary("exponential", &a)]
            });
            vec![b.sum_all(&out[0])]
        }
        Chained::Read => {
            let zero = b.constant(0.0, array(&[], Element::F32));
            b.scan(length, v, &[zero], |b, c, sum| {
                let s = b.convert(&sum[0], element);
                let s = b.broadcast(&s, &[], &of.dims);
                let x = b.binary("add", &c[0], &s);
                let x = b.unary("negate", &x);
                let x = b.unary("exponential", &x);
                let total = b.sum_all(&x);
                let small = b.constant(1e-9, array(&[], Element::F32));
                vec![b.binary("multiply", &total, &small)]
            })
        }
    })
}

/// Along the last dimension, of the elements in f32: `x * rsqrt(mean(x * x) + eps) * weights`, in the elements' type.
pub(super) fn normalize(b: &mut Body, x: &Val, weights: &Val) -> Val {
    let last = x.ty.dims.len() - 1;
    let wide = b.convert(x, Element::F32);
    let squares = b.binary("multiply", &wide, &wide);
    let mean = mean(b, &squares);
    let shifted = b.with_number("add", &mean, 1e-6);
    let scale = b.unary("rsqrt", &shifted);
    let all: Vec<usize> = (0..=last).collect();
    let scale = b.broadcast(&scale, &all, &x.ty.dims);
    let y = b.binary("multiply", &wide, &scale);
    let weights = b.convert(weights, Element::F32);
    let weights = b.broadcast(&weights, &[last], &x.ty.dims);
    let y = b.binary("multiply", &y, &weights);
    b.convert(&y, x.ty.element)
}

/// Along the last dimension, which stays with size 1.
fn mean(b: &mut Body, x: &Val) -> Val {
    let last = x.ty.dims.len() - 1;
    let mut kept = x.ty.dims.clone();
    let count = kept[last];
    kept[last] = 1;
    let sum = b.reduce(x, Reduce::Add, &[last]);
    let outer: Vec<usize> = (0..last).collect();
    let sum = b.broadcast(&sum, &outer, &kept);
    b.with_number("divide", &sum, count as f64)
}

/// RMSNorm as it is written without a kernel, once.
pub fn rms_norm(of: &Array) -> Program {
    let weights = array(&of.dims[of.dims.len() - 1..], of.element);
    program("rms-norm", &[of.clone(), weights], |b, v| vec![normalize(b, &v[0], &v[1])])
}

/// `ones * (x - mean(x)) / sqrt(var(x) + 1e-5) + zeros` along the last dimension, once; means are of f32, the result is f32.
pub fn layer_norm(of: &Array) -> Program {
    let element = of.element;
    program("layer-norm", std::slice::from_ref(of), |b, v| {
        let all: Vec<usize> = (0..of.dims.len()).collect();
        let wide = b.convert(&v[0], Element::F32);
        let average = mean(b, &wide);
        let spread = b.broadcast(&average, &all, &of.dims);
        let off = b.binary("subtract", &wide, &spread);
        let squares = b.binary("multiply", &off, &off);
        let variance = mean(b, &squares);
        let variance = b.convert(&variance, element);
        let average = b.convert(&average, element);
        let average = b.broadcast(&average, &all, &of.dims);
        let x = b.binary("subtract", &v[0], &average);
        let under = b.with_number("add", &variance, 1e-5);
        let under = b.unary("sqrt", &under);
        let under = b.broadcast(&under, &all, &of.dims);
        let x = b.binary("divide", &x, &under);
        let x = b.convert(&x, Element::F32);
        let x = b.with_number("multiply", &x, 1.0);
        vec![b.with_number("add", &x, 0.0)]
    })
}

/// `jnp.take(table, indices, axis=0)`, once: indices below 0 count from the end, rows outside get the least number.
pub fn gather(table: &Array, count: u64) -> Program {
    let rows = table.dims[0];
    let arguments = [table.clone(), array(&[count], Element::I32)];
    let mut made = program("gather", &arguments, |b, v| {
        let zero = b.constant(0.0, array(&[], Element::I32));
        let zero = b.broadcast(&zero, &[], &[count]);
        let negative = b.compare("LT", &v[1], &zero);
        let wrapped = b.with_number("add", &v[1], rows as f64);
        let index = b.select(&negative, &wrapped, &v[1]);
        let last = b.constant((rows - 1) as f64, array(&[], Element::I32));
        let last = b.broadcast(&last, &[], &[count]);
        let low = b.compare("GE", &index, &zero);
        let high = b.compare("LE", &index, &last);
        let inside = b.binary("and", &low, &high);
        let taken = b.take(&v[0], &index, 0);
        let inside = b.broadcast(&inside, &[0], &taken.ty.dims);
        let fill = if table.element == Element::I32 { f64::from(i32::MIN) } else { 0.0 };
        let fill = b.constant(fill, array(&[], table.element));
        let fill = b.broadcast(&fill, &[], &taken.ty.dims);
        vec![b.select(&inside, &taken, &fill)]
    });
    made.name += &format!("_{count}");
    made
}
