//! Equality of modules as programs: two texts of one program are the same module, however their
//! values are numbered, wherever they stood in a file, and in whichever spelling a constant came.

use crate::ir::attr::{Attr, AttrDict, Dense};
use crate::ir::generic::to_generic;
use crate::ir::module::{Function, Mesh, Module, RegionId, ValueId};
use crate::ir::op::{HloAttr, Op, ResultAccuracy};
use std::fmt::Display;

type Outcome = Result<(), String>;

/// Are two modules the same program, locations included? Spans and the numbering of values,
/// operations and regions do not count; neither do the order of attributes, nor whether equal
/// elements of a constant are stored once or in full.
///
/// # Errors
/// The first difference, in words.
pub fn same(a: &Module, b: &Module) -> Outcome {
    module(a, b).map_err(|e| match &a.name {
        Some(name) => format!("module @{name}: {e}"),
        None => e,
    })
}

fn module(a: &Module, b: &Module) -> Outcome {
    equal("name", &a.name, &b.name)?;
    dict("attributes", &a.attrs, &b.attrs)?;
    equal("location", &a.loc, &b.loc)?;
    count("meshes", a.meshes.len(), b.meshes.len())?;
    for (x, y) in a.meshes.iter().zip(&b.meshes) {
        mesh(x, y).map_err(|e| format!("mesh @{}: {e}", x.name))?;
    }
    count("modules", a.modules.len(), b.modules.len())?;
    for (x, y) in a.modules.iter().zip(&b.modules) {
        same(x, y)?;
    }
    count("functions", a.functions.len(), b.functions.len())?;
    for (x, y) in a.functions.iter().zip(&b.functions) {
        function(x, y).map_err(|e| format!("function @{}: {e}", x.name))?;
    }
    Ok(())
}

fn mesh(a: &Mesh, b: &Mesh) -> Outcome {
    equal("name", &a.name, &b.name)?;
    equal("axes", &a.axes, &b.axes)?;
    equal("device ids", &a.device_ids, &b.device_ids)?;
    dict("attributes", &a.attrs, &b.attrs)?;
    equal("location", &a.loc, &b.loc)
}

fn function(a: &Function, b: &Function) -> Outcome {
    equal("name", &a.name, &b.name)?;
    equal("visibility", &a.visibility, &b.visibility)?;
    equal("argument types", &a.arg_types, &b.arg_types)?;
    equal("result types", &a.result_types, &b.result_types)?;
    for (what, x, y) in
        [("argument", &a.arg_attrs, &b.arg_attrs), ("result", &a.result_attrs, &b.result_attrs)]
    {
        count(what, x.len(), y.len())?;
        for (i, (x, y)) in x.iter().zip(y).enumerate() {
            dict(&format!("attributes of {what} {i}"), x, y)?;
        }
    }
    dict("attributes", &a.attrs, &b.attrs)?;
    equal("location", &a.loc, &b.loc)?;
    match (a.body, b.body) {
        (None, None) => Ok(()),
        (Some(x), Some(y)) => Pair { a, b, values: vec![None; a.values.len()] }.regions(x, y),
        _ => Err("one has a body and the other has none".into()),
    }
}

/// Two functions, walked in step.
struct Pair<'a> {
    a: &'a Function,
    b: &'a Function,
    /// The value of `b` that plays the role of a value of `a`, where it is known yet.
    values: Vec<Option<ValueId>>,
}

impl Pair<'_> {
    fn regions(&mut self, x: RegionId, y: RegionId) -> Outcome {
        // (region of a, region of b, the next operation): a stack, since regions may nest deeply.
        self.enter(x, y)?;
        let mut stack = vec![(x, y, 0)];
        while let Some((x, y, next)) = stack.last_mut() {
            let (ra, rb) = (self.a.region(*x), self.b.region(*y));
            if let (Some(&p), Some(&q)) = (ra.ops.get(*next), rb.ops.get(*next)) {
                let number = *next;
                *next += 1;
                let describe = |e| format!("operation {number} ({}): {e}", self.a.op(p).name());
                let (p, q) = (self.a.op(p), self.b.op(q));
                op(&p.op, &q.op, p.operands.len(), p.results.len()).map_err(describe)?;
                dict("attributes", &p.attrs, &q.attrs).map_err(describe)?;
                equal("location", &p.loc, &q.loc).map_err(describe)?;
                self.uses("operand", &p.operands, &q.operands).map_err(describe)?;
                count("regions", p.regions.len(), q.regions.len()).map_err(describe)?;
                self.define("result", &p.results, &q.results)
                    .map_err(|e| format!("operation {number} ({}): {e}", p.name()))?;
                // A region's operations come before the next operation's: pushed last, walked first.
                for (&x, &y) in p.regions.iter().zip(&q.regions).rev() {
                    self.enter(x, y).map_err(|e| format!("operation {number} ({}): {e}", p.name()))?;
                    stack.push((x, y, 0));
                }
                continue;
            }
            count("operations", ra.ops.len(), rb.ops.len())?;
            self.uses("returned value", &ra.results, &rb.results)?;
            dict("attributes of the terminator", &ra.return_attrs, &rb.return_attrs)?;
            equal("location of the terminator", &ra.return_loc, &rb.return_loc)?;
            stack.pop();
        }
        Ok(())
    }

    fn enter(&mut self, x: RegionId, y: RegionId) -> Outcome {
        let (args_a, args_b) = (&self.a.region(x).args, &self.b.region(y).args);
        self.define("region argument", args_a, args_b)?;
        for (i, (&p, &q)) in args_a.iter().zip(args_b).enumerate() {
            equal(&format!("location of argument {i}"), &self.a.value(p).loc, &self.b.value(q).loc)?;
        }
        Ok(())
    }

    fn define(&mut self, what: &str, xs: &[ValueId], ys: &[ValueId]) -> Outcome {
        count(what, xs.len(), ys.len())?;
        for (i, (&x, &y)) in xs.iter().zip(ys).enumerate() {
            shown(&format!("type of {what} {i}"), self.a.ty(x), self.b.ty(y))?;
            self.values[x.index()] = Some(y);
        }
        Ok(())
    }

    fn uses(&self, what: &str, xs: &[ValueId], ys: &[ValueId]) -> Outcome {
        count(what, xs.len(), ys.len())?;
        for (i, (&x, &y)) in xs.iter().zip(ys).enumerate() {
            if self.values[x.index()] != Some(y) {
                return Err(format!("{what} {i} is another value"));
            }
        }
        Ok(())
    }
}

fn op(a: &Op, b: &Op, operands: usize, results: usize) -> Outcome {
    if a == b {
        return Ok(());
    }
    shown("name", a.name(), b.name())?;
    // By their generic forms, where constants are compared by value and NaN equals itself.
    dict("attributes", &to_generic(a, operands, results), &to_generic(b, operands, results))
}

fn dict(what: &str, a: &AttrDict, b: &AttrDict) -> Outcome {
    for (key, x) in a.iter() {
        match b.get(key) {
            Some(y) if attr(x, y) => {}
            Some(y) => {
                return Err(format!("{what}: `{key}` is {} in one and {} in the other", brief(x), brief(y)));
            }
            None => return Err(format!("{what}: `{key}` is missing in the second")),
        }
    }
    match b.iter().find(|(key, _)| a.get(key).is_none()) {
        Some((key, _)) => Err(format!("{what}: `{key}` is missing in the first")),
        None => Ok(()),
    }
}

fn attr(a: &Attr, b: &Attr) -> bool {
    match (a, b) {
        (Attr::Float(x, s), Attr::Float(y, t)) => s == t && float(*x, *y),
        (Attr::Hlo(x), Attr::Hlo(y)) => match (&**x, &**y) {
            (HloAttr::ResultAccuracy(x), HloAttr::ResultAccuracy(y)) => accuracy(x, y),
            _ => x == y,
        },
        (Attr::Dense(x), Attr::Dense(y)) => dense(x, y),
        (Attr::Array(x), Attr::Array(y)) => x.len() == y.len() && x.iter().zip(&**y).all(|(x, y)| attr(x, y)),
        (Attr::Dict(x), Attr::Dict(y)) => dict("", x, y).is_ok(),
        _ => a == b,
    }
}

fn float(x: f64, y: f64) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

fn accuracy(x: &ResultAccuracy, y: &ResultAccuracy) -> bool {
    float(x.atol, y.atol) && float(x.rtol, y.rtol) && x.ulps == y.ulps && x.mode == y.mode
}

/// By type and value; a splat equals the same elements in full.
fn dense(a: &Dense, b: &Dense) -> bool {
    if a.ty != b.ty || a.value.element() != b.value.element() {
        return false;
    }
    match (a.splat, b.splat) {
        (false, true) => dense(b, a),
        (true, false) => {
            let one = a.value.bytes();
            b.value.bytes().chunks_exact(one.len().max(1)).all(|element| element == one)
        }
        _ => a.value.bytes() == b.value.bytes(),
    }
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Outcome {
    if a == b {
        Ok(())
    } else {
        Err(format!("{what}: {} in one and {} in the other", cut(format!("{a:?}")), cut(format!("{b:?}"))))
    }
}

fn shown<T: PartialEq + Display + ?Sized>(what: &str, a: &T, b: &T) -> Outcome {
    if a == b { Ok(()) } else { Err(format!("{what}: {a} in one and {b} in the other")) }
}

fn count(what: &str, a: usize, b: usize) -> Outcome {
    if a == b {
        Ok(())
    } else {
        Err(format!("number of {what}s: {a} in one and {b} in the other").replace("ss:", "s:"))
    }
}

/// An attribute in a message: constants may be large.
fn brief(attr: &Attr) -> String {
    match attr {
        Attr::Dense(d) if d.value.len() > 8 => format!("a constant of type {}", d.ty),
        other => cut(other.to_string()),
    }
}

fn cut(text: String) -> String {
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
