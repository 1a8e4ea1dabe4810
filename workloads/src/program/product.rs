//! Products of two matrices.

use super::Program;
use crate::stablehlo::{Body, Element, Reduce, Val, array, module};

/// `m x k` by `k x n`.
pub type Mkn = [u64; 3];

fn two_matrices(
    name: String,
    [m, k, n]: Mkn,
    element: Element,
    build: impl FnOnce(&mut Body, &[Val]) -> Vec<Val>,
) -> Program {
    let arguments = [array(&[m, k], element), array(&[k, n], element)];
    let text = module("jit_f", &arguments, build);
    Program::new(name, text)
}

fn key(what: &str, element: Element, [m, k, n]: Mkn) -> String {
    format!("{what}_{}_{m}x{k}x{n}", element.text().to_ascii_lowercase())
}

/// What a product of such operands is by default.
fn result(element: Element) -> Element {
    if element == Element::I8 { Element::I32 } else { element }
}

/// `x @ w`, once. Of `int8` the result is `int32`, as benchmarks ask for; of other types what the operands are.
pub fn product(element: Element, mkn: Mkn) -> Program {
    two_matrices(key("product", element, mkn), mkn, element, |b, v| {
        vec![b.matmul(&v[0], &v[1], result(element))]
    })
}

/// `einsum(x, w, preferred_element_type=f32).astype(bf16)`, once.
pub fn product_in_f32(element: Element, mkn: Mkn) -> Program {
    two_matrices(key("product-f32-bf16", element, mkn), mkn, element, |b, v| {
        let wide = b.matmul(&v[0], &v[1], Element::F32);
        vec![b.convert(&wide, Element::Bf16)]
    })
}

/// `relu(x @ w)`, once.
pub fn product_relu(element: Element, mkn: Mkn) -> Program {
    two_matrices(key("product-relu", element, mkn), mkn, element, |b, v| {
        let y = b.matmul(&v[0], &v[1], result(element));
        vec![b.with_number("maximum", &y, 0.0)]
    })
}

/// `mask * (x @ w)` with an `int32` mask of the result's size, once.
pub fn masked_product(element: Element, mkn: Mkn) -> Program {
    let [m, k, n] = mkn;
    let arguments = [array(&[m, n], Element::I32), array(&[m, k], element), array(&[k, n], element)];
    let text = module("jit_f", &arguments, |b, v| {
        let y = b.matmul(&v[1], &v[2], element);
        let mask = b.convert(&v[0], element);
        vec![b.binary("multiply", &mask, &y)]
    });
    Program::new(key("masked-product", element, mkn), text)
}

/// `length` times `y = x @ w; x += 1e-3 * sum(y, axis=1)[:, None]`: each product needs all of the one before.
pub fn chained_product(element: Element, mkn: Mkn, length: u64) -> Program {
    let [m, k, _] = mkn;
    let name = key(&format!("product-chain{length}"), element, mkn);
    two_matrices(name, mkn, element, |b, v| {
        let out = b.scan(length, &v[1..], &v[..1], |b, w, x| {
            let y = b.matmul(&x[0], &w[0], element);
            let wide = b.convert(&y, Element::F32);
            let rows = b.reduce(&wide, Reduce::Add, &[1]);
            let rows = b.with_number("multiply", &rows, 1e-3);
            let rows = b.convert(&rows, element);
            let column = b.broadcast(&rows, &[0], &[m, 1]);
            let wide = b.broadcast(&column, &[0, 1], &[m, k]);
            vec![b.binary("add", &x[0], &wide)]
        });
        vec![b.sum_all(&out[0])]
    })
}
