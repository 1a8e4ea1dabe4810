//! Attention without kernels, and reads of caches of keys and values.

use super::Program;
use crate::stablehlo::{Body, Dot, Element, Reduce, Val, array, module};

/// One token for each sequence: `q` of `[batch, heads, size]`, keys and values of `[batch, kv heads, length, size]`; softmax in f32,
/// the result in f32.
pub(super) fn decode(b: &mut Body, q: &Val, k: &Val, v: &Val) -> Val {
    let [batch, kv, _, size] = k.ty.dims[..] else { unreachable!("a cache of four dimensions") };
    let heads = q.ty.dims[1];
    let grouped = b.reshape(q, &[batch, kv, heads / kv, size]);
    let by_keys = Dot { contract: [&[3], &[3]], batch: [&[0, 1], &[0, 1]] };
    let scores = b.dot(&grouped, k, by_keys, Element::F32);
    let scores = b.with_number("multiply", &scores, 1.0 / (size as f64).sqrt());
    let weights = softmax(b, &scores);
    let weights = b.convert(&weights, v.ty.element);
    let by_values = Dot { contract: [&[3], &[2]], batch: [&[0, 1], &[0, 1]] };
    let out = b.dot(&weights, v, by_values, Element::F32);
    b.reshape(&out, &[batch, heads, size])
}

/// Of all tokens of sequences of `length` to those before them: `q` of `[tokens, heads, size]`, keys and values of
/// `[tokens, kv heads, size]`.
///
/// It stands for a kernel that plain XLA has not: the heads of one group of a sequence at a time, and of those blocks of queries, so
/// that scores stay in VMEM; and each score is read once between the two products, without the largest taken off before, for which
/// the compiler would write and read the scores several times.
pub(super) fn prefill(b: &mut Body, q: &Val, k: &Val, v: &Val, length: u64) -> Val {
    let ([tokens, heads, size], kv) = (three(&q.ty.dims), k.ty.dims[1]);
    let (sequences, group) = (tokens / length, heads / kv);
    let by_head = |b: &mut Body, x: &Val, heads: u64| {
        let x = b.reshape(x, &[sequences, length, heads, size]);
        b.transpose(&x, &[0, 2, 1, 3])
    };
    let q = by_head(b, q, heads);
    let q = b.reshape(&q, &[sequences * kv, group, length, size]);
    let [k, v] = [k, v].map(|x| {
        let x = by_head(b, x, kv);
        b.reshape(&x, &[sequences * kv, length, size])
    });
    let first = b.constant(0.0, array(&[], Element::I32));
    // Each group's results take the place of its queries.
    let out = b.scan(sequences * kv, &[k, v], &[q, first], |b, c, carry| {
        let q = b.at(&carry[0], &carry[1]);
        let [k, v] = [0, 1].map(|i| b.at(&c[i], &carry[1]));
        let o = causal(b, &q, &k, &v);
        let out = b.with_at(&carry[0], &o, &carry[1]);
        vec![out, b.with_number("add", &carry[1], 1.0)]
    });
    let o = b.reshape(&out[0], &[sequences, heads, length, size]);
    let o = b.transpose(&o, &[0, 2, 1, 3]);
    b.reshape(&o, &[tokens, heads, size])
}

fn three(dims: &[u64]) -> [u64; 3] {
    let &[a, b, c] = dims else { unreachable!("an array of three dimensions") };
    [a, b, c]
}

/// Of one group's heads: `q` of `[group, tokens, size]`, keys and values of `[tokens, size]`.
fn causal(b: &mut Body, q: &Val, k: &Val, v: &Val) -> Val {
    let [group, length, size] = three(&q.ty.dims);
    // Scores of a block are at most 32 MB of f32.
    let block = (8_388_608 / (length * group)).clamp(64, 512).min(length);
    let mut whole: Option<Val> = None;
    for start in (0..length).step_by(block as usize) {
        let end = (start + block).min(length);
        let queries = b.slice(q, 1, start, end);
        let (keys, values) = (b.slice(k, 0, 0, end), b.slice(v, 0, 0, end));
        let scores = b.dot(&queries, &keys, Dot { contract: [&[2], &[1]], ..Dot::default() }, Element::F32);
        let scores = b.with_number("multiply", &scores, 1.0 / (size as f64).sqrt());
        let index = array(&scores.ty.dims, Element::I32);
        let (row, column) = (b.iota(index.clone(), 1), b.iota(index, 2));
        let token = b.with_number("add", &row, start as f64);
        let seen = b.compare("GE", &token, &column);
        let never = b.constant(-1e30, scores.ty.clone());
        let scores = b.select(&seen, &scores, &never);
        // Without the maximum taken off: as a kernel does, each score is read once between the products.
        let weights = b.unary("exponential", &scores);
        let sum = b.reduce(&weights, Reduce::Add, &[2]);
        let weights = b.convert(&weights, v.ty.element);
        let o = b.dot(&weights, &values, Dot { contract: [&[2], &[0]], ..Dot::default() }, Element::F32);
        let sum = b.broadcast(&sum, &[0, 1], &o.ty.dims);
        let o = b.binary("divide", &o, &sum);
        let o = b.convert(&o, q.ty.element);
        whole = Some(match whole {
            Some(before) => b.concatenate(&before, &o, 1),
            None => o,
        });
    }
    whole.unwrap_or_else(|| q.clone())
}

/// Along the last dimension.
fn softmax(b: &mut Body, x: &Val) -> Val {
    let dims = x.ty.dims.clone();
    let last = dims.len() - 1;
    let outer: Vec<usize> = (0..last).collect();
    let most = b.reduce(x, Reduce::Max, &[last]);
    let most = b.broadcast(&most, &outer, &dims);
    let x = b.binary("subtract", x, &most);
    let x = b.unary("exponential", &x);
    let sum = b.reduce(&x, Reduce::Add, &[last]);
    let sum = b.broadcast(&sum, &outer, &dims);
    b.binary("divide", &x, &sum)
}

/// `length` times attention of one token to a whole cache, of which each result is the next query.
///
/// `[batch, cached tokens, heads, kv heads, head size]`
pub fn dense_attention(element: Element, [batch, cached, heads, kv, size]: [u64; 5], length: u64) -> Program {
    let cache = array(&[batch, kv, cached, size], element);
    let arguments = [array(&[batch, heads, size], element), cache.clone(), cache];
    let text = module("jit_f", &arguments, |b, v| {
        let out = b.scan(length, &v[1..], &v[..1], |b, cache, q| {
            let o = decode(b, &q[0], &cache[0], &cache[1]);
            vec![b.convert(&o, element)]
        });
        vec![b.sum_all(&out[0])]
    });
    let element = element.text().to_ascii_lowercase();
    let name = format!("dense-attention-chain{length}_{element}_b{batch}_s{cached}_h{heads}x{kv}_d{size}");
    Program::new(name, text)
}

/// The order in which [`read_cache`] reads pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// As they lie, without a table.
    Contiguous,
    /// Through a table of all pages in order.
    Sequential,
    /// Through a table that is an argument.
    Table,
}

/// `length` times: reads all pages of keys and values, and sums them.
///
/// `[batch, cached tokens, kv heads, head size, tokens a page]`
pub fn read_cache(
    how: Read,
    element: Element,
    [batch, cached, kv, size, page]: [u64; 5],
    length: u64,
) -> Program {
    let pages = batch * (cached / page.max(1));
    let cache = array(&[kv, pages, page, size], element);
    let arguments = [cache.clone(), cache, array(&[pages], Element::I32)];
    let text = module("jit_f", &arguments, |b, v| {
        let sum = b.constant(0.0, array(&[], Element::F32));
        let step = b.constant(0.0, array(&[], Element::I32));
        let out = b.scan(length, v, &[sum, step], |b, c, carry| read_step(b, how, pages, c, carry));
        let steps = b.convert(&out[1], Element::F32);
        vec![b.binary("add", &out[0], &steps)]
    });
    let what = match how {
        Read::Contiguous => "read-contiguous",
        Read::Sequential => "read-sequential",
        Read::Table => "read-table",
    };
    let element = element.text().to_ascii_lowercase();
    let name = format!("{what}-chain{length}_{element}_b{batch}_s{cached}_h{kv}_d{size}_p{page}");
    Program::new(name, text)
}

/// Both caches times a number of the loop's, summed; the table turns by a page a step, so that no step is as another.
fn read_step(b: &mut Body, how: Read, pages: u64, constants: &[Val], carry: &[Val]) -> Vec<Val> {
    let element = constants[0].ty.element;
    let scalar = |element| array(&[], element);
    let zero = b.constant(0.0, scalar(Element::F32));
    let positive = b.compare("GT", &carry[0], &zero);
    let positive = b.convert(&positive, Element::I32);
    let number = b.binary("add", &carry[1], &positive);
    let number = b.with_number("remainder", &number, 4.0);
    let number = b.convert(&number, Element::F32);
    let number = b.with_number("multiply", &number, 0.125);
    let number = b.with_number("add", &number, 1.0);
    let number = b.convert(&number, element);
    let table = match how {
        Read::Contiguous => None,
        Read::Sequential => Some(b.iota(array(&[pages], Element::I32), 0)),
        Read::Table => Some(constants[2].clone()),
    };
    let index = table.map(|table| {
        let turn = b.broadcast(&carry[1], &[], &[pages]);
        let turned = b.binary("add", &table, &turn);
        b.with_number("remainder", &turned, pages as f64)
    });
    let mut total = carry[0].clone();
    for cache in &constants[..2] {
        let read = match &index {
            Some(index) => b.take(cache, index, 1),
            None => cache.clone(),
        };
        let wide = b.broadcast(&number, &[], &read.ty.dims);
        let scaled = b.binary("multiply", &read, &wide);
        let sum = b.sum_all(&scaled);
        total = b.binary("add", &total, &sum);
    }
    let one = b.constant(1.0, scalar(Element::I32));
    let next = b.binary("add", &carry[1], &one);
    vec![total, next]
}
