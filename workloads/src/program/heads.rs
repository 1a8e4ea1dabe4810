//! Attention of a training step's forward pass, for any size of its heads.

use super::Program;
use crate::stablehlo::{Body, Dot, Element, Reduce, Val, array, module};

/// Sizes of attention without masks: every head of every sequence by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    pub sequences: u64,
    pub length: u64,
    pub heads: u64,
    pub size: u64,
}

impl Heads {
    /// Operations of one of its two products.
    pub fn flops(&self) -> f64 {
        2.0 * (self.sequences * self.heads * self.length * self.length * self.size) as f64
    }

    fn key(&self) -> String {
        format!("b{}_s{}_h{}_d{}", self.sequences, self.length, self.heads, self.size)
    }

    fn arrays(&self) -> [crate::stablehlo::Array; 3] {
        let one = array(&[self.sequences * self.heads, self.length, self.size], Element::Bf16);
        [one.clone(), one.clone(), one]
    }
}

/// `softmax(q k^T / sqrt(size)) v`, each of `[sequences * heads, length, size]`, as it is written: the scores of all heads are arrays.
pub fn attention(of: Heads) -> Program {
    let text = module("jit_attention", &of.arrays(), |b, a| {
        let dot = Dot { contract: [&[2], &[2]], batch: [&[0], &[0]] };
        let scores = b.dot(&a[0], &a[1], dot, Element::F32);
        let dot = Dot { contract: [&[2], &[1]], batch: [&[0], &[0]] };
        let (weights, sum) = softmax(b, &scores, of.size);
        let o = b.dot(&weights, &a[2], dot, Element::F32);
        vec![divided(b, &o, &sum, &[0, 1])]
    });
    Program::new(format!("attention_{}", of.key()), text)
}

/// Which side of the second product holds the tiles of the matrix units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// As the layout of `weights v` says, which is libtpu's where nobody asks: the values where the head fills lanes.
    AsWritten,
    /// The weights: `(v^T weights^T)^T`, in which the head streams through. Kernels that are written by hand may do so.
    Weights,
}

/// The same, a head at a time and of that `block` queries, as kernels do it that are written by hand: no scores leave VMEM.
pub fn attention_in_blocks(of: Heads, block: u64, held: Held) -> Program {
    let text = module("jit_attention", &of.arrays(), |b, a| {
        let first = b.constant(0.0, array(&[], Element::I32));
        // Each head's results take the place of its queries.
        let out = b.scan(of.sequences * of.heads, &a[1..], &[a[0].clone(), first], |b, c, carry| {
            let [q, k, v] = [&carry[0], &c[0], &c[1]].map(|x| b.at(x, &carry[1]));
            let mut whole: Option<Val> = None;
            for start in (0..of.length).step_by(block as usize) {
                let queries = b.slice(&q, 0, start, (start + block).min(of.length));
                let dot = Dot { contract: [&[1], &[1]], ..Dot::default() };
                let scores = b.dot(&queries, &k, dot, Element::F32);
                let (weights, sum) = softmax(b, &scores, of.size);
                let o = match held {
                    Held::AsWritten => {
                        let dot = Dot { contract: [&[1], &[0]], ..Dot::default() };
                        let o = b.dot(&weights, &v, dot, Element::F32);
                        divided(b, &o, &sum, &[0])
                    }
                    Held::Weights => {
                        let dot = Dot { contract: [&[0], &[1]], ..Dot::default() };
                        let o = b.dot(&v, &weights, dot, Element::F32);
                        let o = divided(b, &o, &sum, &[1]);
                        // Else the product would make it as it is wanted behind it.
                        let o = b.in_order(&o);
                        b.transpose(&o, &[1, 0])
                    }
                };
                whole = Some(match whole {
                    Some(before) => b.concatenate(&before, &o, 0),
                    None => o,
                });
            }
            let out = b.with_at(&carry[0], &whole.unwrap_or(q), &carry[1]);
            vec![out, b.with_number("add", &carry[1], 1.0)]
        });
        vec![out[0].clone()]
    });
    let held = if held == Held::AsWritten { "" } else { "-streamed" };
    Program::new(format!("attention-blocks{block}{held}_{}", of.key()), text)
}

/// What the second product multiplies, in bf16, and the sums that its result is divided by: it is smaller than the weights are.
fn softmax(b: &mut Body, scores: &Val, size: u64) -> (Val, Val) {
    let scores = b.with_number("multiply", scores, 1.0 / (size as f64).sqrt());
    let last = scores.ty.dims.len() - 1;
    let outer: Vec<usize> = (0..last).collect();
    let most = b.reduce(&scores, Reduce::Max, &[last]);
    let most = b.broadcast(&most, &outer, &scores.ty.dims);
    let scores = b.binary("subtract", &scores, &most);
    let weights = b.unary("exponential", &scores);
    let sum = b.reduce(&weights, Reduce::Add, &[last]);
    (b.convert(&weights, Element::Bf16), sum)
}

fn divided(b: &mut Body, o: &Val, sum: &Val, to: &[usize]) -> Val {
    let sum = b.broadcast(sum, to, &o.ty.dims);
    let o = b.binary("divide", o, &sum);
    b.convert(&o, Element::Bf16)
}
