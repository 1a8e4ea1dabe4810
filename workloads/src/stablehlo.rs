//! StableHLO as text, as JAX writes it: functions of arrays, one operation a line.

mod indexed;

use std::fmt::{self, Write};

/// Element types of the measured programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Bool,
    I8,
    I32,
    F8E4M3,
    F8E5M2,
    F16,
    Bf16,
    F32,
}

impl Element {
    /// As rows name it: `bf16`, `int8`, `f32 (default precision)`.
    pub fn named(text: &str) -> Option<Element> {
        let word = text.split([' ', '(', ',']).next().unwrap_or("").to_ascii_lowercase();
        Some(match word.as_str() {
            "bf16" | "bfloat16" => Element::Bf16,
            "f16" | "fp16" | "float16" | "half" => Element::F16,
            "f32" | "fp32" | "float32" => Element::F32,
            "int8" | "s8" | "i8" => Element::I8,
            "int32" | "s32" | "i32" => Element::I32,
            "fp8" | "f8" | "float8_e4m3fn" | "fp8_e4m3" | "f8e4m3fn" | "f8e4m3" => Element::F8E4M3,
            "fp8_e5m2" | "float8_e5m2" | "f8e5m2" => Element::F8E5M2,
            _ => return None,
        })
    }

    /// Its name in StableHLO.
    pub fn text(self) -> &'static str {
        match self {
            Element::Bool => "i1",
            Element::I8 => "i8",
            Element::I32 => "i32",
            Element::F8E4M3 => "f8E4M3FN",
            Element::F8E5M2 => "f8E5M2",
            Element::F16 => "f16",
            Element::Bf16 => "bf16",
            Element::F32 => "f32",
        }
    }

    /// Of one element.
    pub fn bytes(self) -> u64 {
        match self {
            Element::Bool | Element::I8 | Element::F8E4M3 | Element::F8E5M2 => 1,
            Element::F16 | Element::Bf16 => 2,
            Element::I32 | Element::F32 => 4,
        }
    }

    fn is_float(self) -> bool {
        !matches!(self, Element::Bool | Element::I8 | Element::I32)
    }
}

/// An array's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub dims: Vec<u64>,
    pub element: Element,
}

/// `array(&[128, 256], Element::F32)`
pub fn array(dims: &[u64], element: Element) -> Array {
    Array { dims: dims.to_vec(), element }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tensor<")?;
        for d in &self.dims {
            write!(f, "{d}x")?;
        }
        write!(f, "{}>", self.element.text())
    }
}

/// A value of the function that is being written.
#[derive(Clone, Debug)]
pub struct Val {
    name: String,
    pub ty: Array,
}

/// How [`Body::reduce`] combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    Add,
    Max,
}

/// The dimensions of a product: contracted and batch ones of either side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dot<'a> {
    pub contract: [&'a [usize]; 2],
    pub batch: [&'a [usize]; 2],
}

/// The operations of a function or region.
#[derive(Debug, Default)]
pub struct Body {
    text: String,
    next: usize,
    depth: usize,
}

/// A module of one function: `arguments` in, what `build` returns out.
pub fn module(name: &str, arguments: &[Array], build: impl FnOnce(&mut Body, &[Val]) -> Vec<Val>) -> String {
    let args: Vec<Val> =
        arguments.iter().enumerate().map(|(i, a)| Val { name: format!("%arg{i}"), ty: a.clone() }).collect();
    let mut body = Body { depth: 2, ..Body::default() };
    let results = build(&mut body, &args);
    let parameters = join(&args, |a| format!("{}: {}", a.name, a.ty));
    let types = join(&results, |r| r.ty.to_string());
    format!(
        "module @{name} {{\n  func.func public @main({parameters}) -> ({types}) {{\n{}    return {} : {types}\n  }}\n}}\n",
        body.text,
        join(&results, |r| r.name.clone()),
    )
}

fn join(values: &[Val], each: impl Fn(&Val) -> String) -> String {
    values.iter().map(each).collect::<Vec<_>>().join(", ")
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

impl Body {
    fn line(&mut self, text: &str) {
        let indent = 2 * self.depth;
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next - 1)
    }

    fn put(&mut self, ty: Array, text: &str) -> Val {
        let name = self.fresh();
        self.line(&format!("{name} = {text}"));
        Val { name, ty }
    }

    /// An array of one number.
    pub fn constant(&mut self, value: f64, ty: Array) -> Val {
        let text = if ty.element.is_float() { format!("{value:e}") } else { format!("{value}") };
        let text =
            if ty.element.is_float() && !text.contains('.') { text.replacen('e', ".0e", 1) } else { text };
        self.put(ty.clone(), &format!("stablehlo.constant dense<{text}> : {ty}"))
    }

    /// Least value that a maximum begins with.
    fn lowest(&mut self, element: Element) -> Val {
        let bits = match element {
            Element::F32 => "0xFF800000",
            Element::Bf16 => "0xFF80",
            _ => "0xFC00",
        };
        let ty = array(&[], element);
        self.put(ty.clone(), &format!("stablehlo.constant dense<{bits}> : {ty}"))
    }

    /// `exponential`, `negate`, `abs`, …
    pub fn unary(&mut self, op: &str, x: &Val) -> Val {
        self.put(x.ty.clone(), &format!("stablehlo.{op} {} : {}", x.name, x.ty))
    }

    /// `add`, `multiply`, …, of equal types.
    pub fn binary(&mut self, op: &str, a: &Val, b: &Val) -> Val {
        self.put(a.ty.clone(), &format!("stablehlo.{op} {}, {} : {}", a.name, b.name, a.ty))
    }

    /// With a number at every element.
    pub fn with_number(&mut self, op: &str, a: &Val, number: f64) -> Val {
        let scalar = self.constant(number, array(&[], a.ty.element));
        let wide = self.broadcast(&scalar, &[], &a.ty.dims);
        self.binary(op, a, &wide)
    }

    /// To other elements; the value itself where it has them.
    pub fn convert(&mut self, x: &Val, element: Element) -> Val {
        if x.ty.element == element {
            return x.clone();
        }
        let ty = array(&x.ty.dims, element);
        self.put(ty.clone(), &format!("stablehlo.convert {} : ({}) -> {ty}", x.name, x.ty))
    }

    /// `broadcast_in_dim`.
    pub fn broadcast(&mut self, x: &Val, to: &[usize], dims: &[u64]) -> Val {
        let ty = array(dims, x.ty.element);
        let to = list(to);
        self.put(
            ty.clone(),
            &format!("stablehlo.broadcast_in_dim {}, dims = [{to}] : ({}) -> {ty}", x.name, x.ty),
        )
    }

    /// Of the same elements in the same order.
    pub fn reshape(&mut self, x: &Val, dims: &[u64]) -> Val {
        let ty = array(dims, x.ty.element);
        self.put(ty.clone(), &format!("stablehlo.reshape {} : ({}) -> {ty}", x.name, x.ty))
    }

    /// Result dimension `i` is dimension `order[i]`.
    pub fn transpose(&mut self, x: &Val, order: &[usize]) -> Val {
        let dims: Vec<u64> = order.iter().map(|&i| x.ty.dims[i]).collect();
        let ty = array(&dims, x.ty.element);
        let order = list(order);
        self.put(
            ty.clone(),
            &format!("stablehlo.transpose {}, dims = [{order}] : ({}) -> {ty}", x.name, x.ty),
        )
    }

    /// Sums or maxima over `over`, in the type of the elements.
    pub fn reduce(&mut self, x: &Val, how: Reduce, over: &[usize]) -> Val {
        let init = match how {
            Reduce::Add => self.constant(0.0, array(&[], x.ty.element)),
            Reduce::Max => self.lowest(x.ty.element),
        };
        let kept: Vec<u64> =
            x.ty.dims.iter().enumerate().filter(|(i, _)| !over.contains(i)).map(|(_, &d)| d).collect();
        let ty = array(&kept, x.ty.element);
        let (op, over) = (if how == Reduce::Add { "add" } else { "maximum" }, list(over));
        self.put(
            ty.clone(),
            &format!(
                "stablehlo.reduce({} init: {}) applies stablehlo.{op} across dimensions = [{over}] : ({}, {}) -> {ty}",
                x.name, init.name, x.ty, init.ty
            ),
        )
    }

    /// A product with a result of `element`: batch dimensions, then what is left of the left and of the right side.
    pub fn dot(&mut self, a: &Val, b: &Val, dot: Dot<'_>, element: Element) -> Val {
        let left = |v: &Val, side: usize| {
            let taken = |i: &usize| dot.contract[side].contains(i) || dot.batch[side].contains(i);
            (0..v.ty.dims.len()).filter(|i| !taken(i)).map(|i| v.ty.dims[i]).collect::<Vec<_>>()
        };
        let mut dims: Vec<u64> = dot.batch[0].iter().map(|&i| a.ty.dims[i]).collect();
        dims.extend(left(a, 0));
        dims.extend(left(b, 1));
        let ty = array(&dims, element);
        let pair = |sides: [&[usize]; 2]| format!("[{}] x [{}]", list(sides[0]), list(sides[1]));
        let batch = if dot.batch[0].is_empty() {
            String::new()
        } else {
            format!("batching_dims = {}, ", pair(dot.batch))
        };
        self.put(
            ty.clone(),
            &format!(
                "stablehlo.dot_general {}, {}, {batch}contracting_dims = {}, precision = [DEFAULT, DEFAULT] : ({}, {}) -> {ty}",
                a.name, b.name, pair(dot.contract), a.ty, b.ty
            ),
        )
    }

    /// `x @ w` of two matrices.
    pub fn matmul(&mut self, x: &Val, w: &Val, element: Element) -> Val {
        self.dot(x, w, Dot { contract: [&[1], &[0]], ..Dot::default() }, element)
    }

    /// From `start` to before `end` along `dimension`.
    pub fn slice(&mut self, x: &Val, dimension: usize, start: u64, end: u64) -> Val {
        let mut dims = x.ty.dims.clone();
        let ranges: Vec<String> = (0..dims.len())
            .map(|i| if i == dimension { format!("{start}:{end}") } else { format!("0:{}", dims[i]) })
            .collect();
        dims[dimension] = end - start;
        let ty = array(&dims, x.ty.element);
        self.put(
            ty.clone(),
            &format!("stablehlo.slice {} [{}] : ({}) -> {ty}", x.name, ranges.join(", "), x.ty),
        )
    }

    /// Two arrays, one after the other along `dimension`.
    pub fn concatenate(&mut self, a: &Val, b: &Val, dimension: usize) -> Val {
        let mut dims = a.ty.dims.clone();
        dims[dimension] += b.ty.dims[dimension];
        let ty = array(&dims, a.ty.element);
        self.put(
            ty.clone(),
            &format!(
                "stablehlo.concatenate {}, {}, dim = {dimension} : ({}, {}) -> {ty}",
                a.name, b.name, a.ty, b.ty
            ),
        )
    }

    /// `compare LT, …`
    pub fn compare(&mut self, how: &str, a: &Val, b: &Val) -> Val {
        let ty = array(&a.ty.dims, Element::Bool);
        let kind = if a.ty.element.is_float() { "FLOAT" } else { "SIGNED" };
        self.put(
            ty.clone(),
            &format!(
                "stablehlo.compare {how}, {}, {}, {kind} : ({}, {}) -> {ty}",
                a.name, b.name, a.ty, b.ty
            ),
        )
    }

    /// `a` where `which` is true, else `b`.
    pub fn select(&mut self, which: &Val, a: &Val, b: &Val) -> Val {
        self.put(
            a.ty.clone(),
            &format!("stablehlo.select {}, {}, {} : {}, {}", which.name, a.name, b.name, which.ty, a.ty),
        )
    }

    /// 0, 1, 2, … along `dimension`.
    pub fn iota(&mut self, ty: Array, dimension: usize) -> Val {
        self.put(ty.clone(), &format!("stablehlo.iota dim = {dimension} : {ty}"))
    }

    /// The value, which must lie with its last dimension innermost, as kernels that are written by hand want their arrays.
    pub fn in_order(&mut self, x: &Val) -> Val {
        let order: Vec<usize> = (0..x.ty.dims.len()).rev().collect();
        let layout = format!("[dense<[{}]> : tensor<{}xindex>]", list(&order), order.len());
        self.put(
            x.ty.clone(),
            &format!(
                "stablehlo.custom_call @LayoutConstraint({}) {{operand_layouts = {layout}, \
                 result_layouts = {layout}}} : ({}) -> {}",
                x.name, x.ty, x.ty
            ),
        )
    }

    /// `jnp.sum(x.astype(f32))`
    pub fn sum_all(&mut self, x: &Val) -> Val {
        let wide = self.convert(x, Element::F32);
        let all: Vec<usize> = (0..x.ty.dims.len()).collect();
        self.reduce(&wide, Reduce::Add, &all)
    }
}
