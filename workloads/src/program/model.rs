//! Steps of language models, as vLLM's JAX models run them on TPUs.

use super::array::{Unary, normalize};
use super::attention::{decode, prefill};
use super::{Program, by};
use crate::stablehlo::{Array, Body, Dot, Element, Val, array, module};

/// The sizes of a decoder with grouped queries and a gated MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    pub layers: u64,
    pub hidden: u64,
    pub inner: u64,
    pub heads: u64,
    pub kv_heads: u64,
    pub head: u64,
    pub vocabulary: u64,
    /// Queries and keys are normalized.
    pub normalized_heads: bool,
}

impl Model {
    /// By the name that a row's text begins with: `Qwen3-8B`, `Mistral-7B`, … From their published configurations.
    pub fn named(text: &str) -> Option<Model> {
        let text = text.to_ascii_lowercase();
        let model = |layers, hidden, inner, heads, kv_heads, vocabulary, normalized_heads| Model {
            layers,
            hidden,
            inner,
            heads,
            kv_heads,
            head: 128,
            vocabulary,
            normalized_heads,
        };
        [
            ("qwen3-0.6b", model(28, 1024, 3072, 16, 8, 151_936, true)),
            ("qwen3-1.7b", model(28, 2048, 6144, 16, 8, 151_936, true)),
            ("qwen3-4b", model(36, 2560, 9728, 32, 8, 151_936, true)),
            ("qwen3-8b", model(36, 4096, 12_288, 32, 8, 151_936, true)),
            ("qwen3-14b", model(40, 5120, 17_408, 40, 8, 151_936, true)),
            ("mistral-7b", model(32, 4096, 14_336, 32, 8, 32_768, false)),
            ("llama-3.1-8b", model(32, 4096, 14_336, 32, 8, 128_256, false)),
            ("llama-3-8b", model(32, 4096, 14_336, 32, 8, 128_256, false)),
        ]
        .into_iter()
        .find(|(name, _)| text.contains(name))
        .map(|(_, model)| model)
    }

    fn mlp_weights(&self) -> [Array; 3] {
        let (d, f) = (self.hidden, self.inner);
        [&[d, f], &[d, f], &[f, d]].map(|dims| array(dims, Element::Bf16))
    }

    fn key(&self) -> String {
        let normalized = if self.normalized_heads { "n" } else { "" };
        by(&[self.hidden, self.inner, self.heads, self.kv_heads, self.head]) + normalized
    }
}

/// What stands for the kernel of attention, which is Pallas's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Nothing: its queries are its result, and lie as a kernel wants them. (Keys and values are results of the program, so that
    /// they are computed.)
    None,
    /// Of every token to those before it in its sequence of `length`, without a kernel, in blocks whose scores fit VMEM and are
    /// read once.
    Prefill { length: u64 },
    /// Of one token for each of `sequences` to `cached` tokens, without a kernel.
    Decode { sequences: u64, cached: u64 },
}

/// `down(silu(gate(x)) * up(x))`
fn gated(b: &mut Body, x: &Val, weights: &[Val]) -> Val {
    let gate = b.matmul(x, &weights[0], Element::Bf16);
    let gate = Unary::Silu.of(b, &gate);
    let up = b.matmul(x, &weights[1], Element::Bf16);
    let inner = b.binary("multiply", &gate, &up);
    b.matmul(&inner, &weights[2], Element::Bf16)
}

/// The MLPs of `count` layers, one after the other, of `tokens` tokens: nothing between them.
pub fn mlp(model: &Model, tokens: u64, count: u64) -> Program {
    let mut arguments = vec![array(&[tokens, model.hidden], Element::Bf16)];
    for _ in 0..count {
        arguments.extend(model.mlp_weights());
    }
    let text = module("jit_f", &arguments, |b, v| {
        let mut x = v[0].clone();
        for weights in v[1..].chunks(3) {
            x = gated(b, &x, weights);
        }
        vec![x]
    });
    Program::new(format!("mlp_bf16_t{tokens}_{}x{}_l{count}", model.hidden, model.inner), text)
}

/// Logits of `tokens` tokens.
pub fn head(model: &Model, tokens: u64) -> Program {
    let (d, n) = (model.hidden, model.vocabulary);
    let arguments = [array(&[tokens, d], Element::Bf16), array(&[d, n], Element::Bf16)];
    let text = module("jit_f", &arguments, |b, v| vec![b.matmul(&v[0], &v[1], Element::Bf16)]);
    Program::new(format!("head_bf16_t{tokens}_{d}x{n}"), text)
}

/// `count` layers of `tokens` tokens: norms, projections, rotary positions, attention as `attention` says, MLP, sums.
///
/// Arguments: the hidden states, positions; of each layer two norms, those of queries and keys, the projections of queries, keys,
/// values and results, the MLP's three, and the caches where there are any.
pub fn layers(model: &Model, tokens: u64, count: u64, attention: Attention) -> Program {
    let m = model;
    let bf16 = |dims: &[u64]| array(dims, Element::Bf16);
    let mut layer = vec![
        bf16(&[m.hidden]),
        bf16(&[m.hidden]),
        bf16(&[m.head]),
        bf16(&[m.head]),
        bf16(&[m.hidden, m.heads, m.head]),
        bf16(&[m.hidden, m.kv_heads, m.head]),
        bf16(&[m.hidden, m.kv_heads, m.head]),
        bf16(&[m.heads, m.head, m.hidden]),
    ];
    layer.extend(m.mlp_weights());
    if let Attention::Decode { sequences, cached } = attention {
        let cache = bf16(&[sequences, m.kv_heads, cached, m.head]);
        layer.extend([cache.clone(), cache]);
    }
    let mut arguments = vec![bf16(&[tokens, m.hidden]), array(&[tokens], Element::I32)];
    for _ in 0..count {
        arguments.extend(layer.iter().cloned());
    }
    let text = module("jit_f", &arguments, |b, v| {
        let mut results = Vec::new();
        let mut x = v[0].clone();
        for weights in v[2..].chunks(layer.len()) {
            x = one_layer(b, m, &x, &v[1], weights, attention, &mut results);
        }
        results.insert(0, x);
        results
    });
    let what = match attention {
        Attention::None => String::new(),
        Attention::Prefill { length } => format!("_p{length}"),
        Attention::Decode { sequences, cached } => format!("_b{sequences}_s{cached}"),
    };
    Program::new(format!("layers_bf16_t{tokens}_{}{what}_l{count}", m.key()), text)
}

fn one_layer(
    b: &mut Body,
    m: &Model,
    x: &Val,
    positions: &Val,
    w: &[Val],
    attention: Attention,
    results: &mut Vec<Val>,
) -> Val {
    let project = Dot { contract: [&[1], &[0]], ..Dot::default() };
    let h = normalize(b, x, &w[0]);
    let heads = |b: &mut Body, weights: &Val, norm: &Val| {
        let y = b.dot(&h, weights, project, Element::Bf16);
        let y = if m.normalized_heads { normalize(b, &y, norm) } else { y };
        rotate(b, &y, positions)
    };
    let q = heads(b, &w[4], &w[2]);
    let k = heads(b, &w[5], &w[3]);
    let v = b.dot(&h, &w[6], project, Element::Bf16);
    let [q, k, v] = match attention {
        Attention::Decode { .. } => [q, k, v],
        _ => [q, k, v].map(|x| b.in_order(&x)),
    };
    let o = match attention {
        Attention::None => q,
        Attention::Prefill { length } => {
            let o = prefill(b, &q, &k, &v, length.min(q.ty.dims[0]));
            b.in_order(&o)
        }
        Attention::Decode { sequences, .. } => {
            let tokens = q.ty.dims[0];
            let active = b.slice(&q, 0, 0, sequences.min(tokens));
            let o = decode(b, &active, &w[w.len() - 2], &w[w.len() - 1]);
            let o = b.convert(&o, Element::Bf16);
            // Tokens are padded to a bucket; what is beyond the sequences is nobody's.
            if sequences < tokens {
                let rest = b.slice(&q, 0, sequences, tokens);
                b.concatenate(&o, &rest, 0)
            } else {
                o
            }
        }
    };
    results.extend([k, v]);
    let back = Dot { contract: [&[2, 1], &[1, 0]], ..Dot::default() };
    let o = b.dot(&o, &w[7], back, Element::Bf16);
    let x = b.binary("add", &o, x);
    let h = normalize(b, &x, &w[1]);
    let y = gated(b, &h, &w[8..11]);
    b.binary("add", &x, &y)
}

/// Rotary positions: each pair of a head's halves turned by its position times its frequency.
fn rotate(b: &mut Body, x: &Val, positions: &Val) -> Val {
    let [tokens, _, size] = x.ty.dims[..] else { unreachable!("tokens, heads, size") };
    let half = size / 2;
    let place = b.convert(positions, Element::F32);
    let place = b.broadcast(&place, &[0], &[tokens, half]);
    let number = b.iota(array(&[half], Element::F32), 0);
    // theta to the power of -2 i / size, of theta = 1,000,000
    let exponent = b.with_number("multiply", &number, -(1e6_f64.ln()) * 2.0 / size as f64);
    let frequency = b.unary("exponential", &exponent);
    let frequency = b.broadcast(&frequency, &[1], &[tokens, half]);
    let angle = b.binary("multiply", &place, &frequency);
    let mut dims = x.ty.dims.clone();
    dims[2] = half;
    let wide = |b: &mut Body, op: &str| {
        let of = b.unary(op, &angle);
        b.broadcast(&of, &[0, 2], &dims)
    };
    let (sine, cosine) = (wide(b, "sine"), wide(b, "cosine"));
    let x32 = b.convert(x, Element::F32);
    let (first, second) = (b.slice(&x32, 2, 0, half), b.slice(&x32, 2, half, size));
    let turn = |b: &mut Body, op: &str, p: &Val, q: &Val| {
        let p = b.binary("multiply", p, &cosine);
        let q = b.binary("multiply", q, &sine);
        b.binary(op, &p, &q)
    };
    let low = turn(b, "subtract", &first, &second);
    let high = turn(b, "add", &second, &first);
    let both = b.concatenate(&low, &high, 2);
    b.convert(&both, x.ty.element)
}
