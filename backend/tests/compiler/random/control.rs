//! Loops, branches and calls.

use super::program::{Body, Element, Numbers, Op, Val, list};

/// How often a loop runs at most.
const TRIPS: usize = 3;

impl Body {
    /// `count` values to carry or to return: some of those in sight.
    fn some(&mut self, n: &mut Numbers<'_>, count: usize) -> Vec<Val> {
        let one = |_| {
            let v = self.pick(n);
            self.bounded(&v, 16.0)
        };
        (0..count).map(one).collect()
    }

    /// What `inner` ends with, in the types of `like` and no larger.
    fn ends(&mut self, inner: &[Op], like: &[Val]) -> Vec<Val> {
        self.operations(inner);
        let all = self.values.len();
        let made: Vec<Val> = (0..like.len()).map(|k| self.values[all - 1 - k.min(all - 1)].clone()).collect();
        let fitting = made.iter().zip(like).map(|(v, l)| {
            let v = self.fit(v, &l.dims, l.element);
            self.bounded(&v, l.most)
        });
        fitting.collect()
    }

    fn returned(&mut self, values: &[Val]) {
        let names = list(values.iter().map(|v| &v.name));
        let types = list(values.iter().map(Val::ty));
        self.line(&format!("stablehlo.return {names} : {types}"));
    }

    /// `while`, a constant number of times or as often as a value says.
    pub fn repeated(&mut self, n: &mut Numbers<'_>, inner: &[Op]) {
        let count = 1 + n.below(3);
        let mut carried = self.some(n, count);
        carried.iter_mut().for_each(|v| v.most = v.most.max(1.0));
        let scalar = |b: &mut Body, x: f64| b.constant(x, &[], Element::S32);
        let (zero, one) = (scalar(self, 0.0), scalar(self, 1.0));
        let end = if n.below(2) == 0 {
            let trips = 1 + n.below(TRIPS);
            scalar(self, trips as f64)
        } else {
            let most = scalar(self, TRIPS as f64);
            let v = self.index(n);
            let text = format!("stablehlo.clamp {}, {}, {} : {}", zero.name, v.name, most.name, v.ty());
            self.put(v, &text)
        };
        let mark = self.mark();
        let mut errors: Vec<f64> = carried.iter().map(|v| v.error).collect();
        // Written again and again until it is known how exact its values are.
        for _ in 0..TRIPS + carried.len() + 1 {
            self.back(&mark);
            for (v, &error) in carried.iter_mut().zip(&errors) {
                v.error = error;
            }
            let out = self.one_loop(&carried, [&zero, &one, &end], inner);
            errors = errors.iter().zip(&out).map(|(a, b)| a.max(*b)).collect();
        }
        // The text is of errors that lead to no others that are zero.
        let first = self.values.len() - errors.len();
        for (v, error) in self.values[first..].iter_mut().zip(errors) {
            v.error = error;
        }
    }

    /// Its results are kept; how far off they are.
    fn one_loop(&mut self, carried: &[Val], [zero, one, end]: [&Val; 3], inner: &[Op]) -> Vec<f64> {
        let id = self.fresh();
        let at = |k: usize| format!("%w{id}_{k}");
        let start: Vec<Val> = [zero].into_iter().chain(carried).cloned().collect();
        let types = list(start.iter().map(Val::ty));
        let bindings = list(start.iter().enumerate().map(|(k, v)| format!("{} = {}", at(k), v.name)));
        self.line(&format!("%l{id}:{} = stablehlo.while({bindings}) : {types}", start.len()));
        self.line("cond {");
        self.line(&format!(
            "%c{id} = stablehlo.compare LT, {}, {}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            at(0),
            end.name
        ));
        self.line(&format!("stablehlo.return %c{id} : tensor<i1>"));
        self.line("} do {");
        let before = self.values.len();
        let counter = Val { name: at(0), most: 4.0, ..zero.clone() };
        let inside = carried.iter().enumerate().map(|(k, v)| Val { name: at(k + 1), ..v.clone() });
        let inside: Vec<Val> = [counter].into_iter().chain(inside).collect();
        self.values.extend(inside);
        let mut next = self.ends(inner, carried);
        let text = format!("stablehlo.add {}, {} : tensor<i32>", at(0), one.name);
        let step = self.put(zero.clone(), &text);
        let errors = next.iter().map(|v| v.error).collect();
        next.insert(0, step);
        self.returned(&next);
        self.line("}");
        self.values.truncate(before);
        for (k, v) in carried.iter().enumerate() {
            self.keep(Val { name: format!("%l{id}#{}", k + 1), ..v.clone() });
        }
        errors
    }

    /// `if` and `case`: each branch has its part of `inner`.
    pub fn branches(&mut self, n: &mut Numbers<'_>, inner: &[Op]) {
        let count = 2 + n.below(2);
        let kept = 1 + n.below(2);
        let mut like = self.some(n, kept);
        like.iter_mut().for_each(|v| v.most = v.most.max(1.0));
        let index = self.pick_exact(n);
        let which = self.fit(&index, &[], if count == 2 { Element::Pred } else { Element::S32 });
        let id = self.fresh();
        let name = if count == 2 { "if" } else { "case" };
        self.line(&format!("%b{id}:{} = \"stablehlo.{name}\"({}) ({{", like.len(), which.name));
        let mut errors = vec![0.0f64; like.len()];
        for branch in 0..count {
            let mark = self.values.len();
            let part = inner.len().div_ceil(count).max(1);
            let ops = inner.chunks(part).nth(branch).unwrap_or(&[]);
            // Without operations of its own, a branch hands on another value.
            let shift = Val { ..self.values[branch % mark].clone() };
            if ops.is_empty() {
                self.keep(shift);
            }
            let out = self.ends(ops, &like);
            errors.iter_mut().zip(&out).for_each(|(e, v)| *e = e.max(v.error));
            self.returned(&out);
            self.values.truncate(mark);
            self.line(if branch + 1 < count { "}, {" } else { "})" });
        }
        let types = list(like.iter().map(Val::ty));
        // The type stands behind the last region.
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        self.text += &format!(" : ({}) -> ({types})\n", which.ty());
        for (k, v) in like.into_iter().enumerate() {
            self.keep(Val { name: format!("%b{id}#{k}"), error: errors[k], ..v });
        }
    }

    /// A function that is called twice.
    pub fn called(&mut self, n: &mut Numbers<'_>, inner: &[Op]) {
        let count = 1 + n.below(2);
        let first = self.some(n, count);
        let second: Vec<Val> = self.some(n, count);
        let second: Vec<Val> =
            second.iter().zip(&first).map(|(v, f)| self.fit(v, &f.dims, f.element)).collect();
        let id = self.fresh();
        let parameters: Vec<Val> = first
            .iter()
            .zip(&second)
            .enumerate()
            .map(|(k, (a, b))| Val {
                name: format!("%p{id}_{k}"),
                most: a.most.max(b.most).max(1.0),
                // Nothing in it may depend on their being exact.
                error: a.error.max(b.error).max(1e-30),
                ..a.clone()
            })
            .collect();
        let outside = std::mem::take(&mut self.text);
        let values = std::mem::replace(&mut self.values, parameters.clone());
        let numbers = self.iota(&[4], 0, Element::S32);
        self.values.insert(0, numbers);
        let out = self.ends(inner, &parameters);
        let body = std::mem::replace(&mut self.text, outside);
        self.values = values;
        let types = list(out.iter().map(Val::ty));
        self.functions += &format!(
            "func.func private @f{id}({}) -> ({types}) {{\n{body}  return {} : {types}\n}}\n",
            list(parameters.iter().map(|p| format!("{}: {}", p.name, p.ty()))),
            list(out.iter().map(|v| &v.name)),
        );
        for (call, operands) in [first, second].into_iter().enumerate() {
            self.line(&format!(
                "%f{id}_{call}:{} = call @f{id}({}) : ({}) -> ({types})",
                out.len(),
                list(operands.iter().map(|v| &v.name)),
                list(operands.iter().map(Val::ty)),
            ));
            for (k, v) in out.iter().enumerate() {
                self.keep(Val { name: format!("%f{id}_{call}#{k}"), ..v.clone() });
            }
        }
    }
}
