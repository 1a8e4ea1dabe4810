"""Exports functions of JAX with symbolic shapes, and runs them at several shapes.

`jax_polymorphic.py OUT` writes OUT/NAME.bin (`Exported.serialize()`) and, for the k-th shape,
OUT/NAME.k.npz with the inputs (in0, in1, ...) and JAX's own results (out0, out1, ...). What JAX
cannot export is a line "NAME: reason" on stdout, and the test fails.
"""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", False)

out = Path(sys.argv[1])
rng = np.random.default_rng(0)
f32, i32 = np.float32, np.int32


def layer_norm(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = ((x - m) ** 2).mean(-1, keepdims=True)
    return (x - m) / jnp.sqrt(v + 1e-5) * g + b


def attention(q, k, v):
    s = jnp.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.arange(q.shape[1])[:, None] >= jnp.arange(k.shape[1])[None, :]
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.where(mask, s, -1e9), -1), v)


def conv(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def conv_strided(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def rnn(x, w, u):
    def step(h, xt):
        h = jnp.tanh(xt @ w + h @ u)
        return h, h

    return lax.scan(step, jnp.zeros((x.shape[1], u.shape[0])), x)


def newton(x):
    def body(c):
        i, y = c
        return i + 1, 0.5 * (y + (x + 2.0) / y)

    return lax.while_loop(lambda c: c[0] < 5, body, (0, jnp.ones_like(x)))[1]


def total(f, *numbers):
    """The gradient of the sum of f's first result, with respect to these arguments."""

    def loss(*args):
        leaves = jax.tree.leaves(f(*args))
        return (leaves[0] ** 2).sum()

    return jax.grad(loss, argnums=numbers)


# name: function, symbolic shapes and types, sizes of the variables; then the symbolic constraints.
B = [{"b": 1}, {"b": 3}, {"b": 8}]
BN = [{"b": 1, "n": 5}, {"b": 3, "n": 2}, {"b": 4, "n": 7}]
CASES = {
    "matmul": (lambda x, y: x @ y, [("b, k", f32), ("k, n", f32)],
               [{"b": 1, "k": 1, "n": 1}, {"b": 3, "k": 5, "n": 2}]),
    "layer_norm": (layer_norm, [("b, n", f32), ("n", f32), ("n", f32)], BN),
    "attention": (attention, [("b, n, 4", f32)] * 3, BN),
    "softmax": (lambda x: jax.nn.softmax(x, 0), [("b, n", f32)], BN),
    "conv": (conv, [("b, h, h, 3", f32), ("3, 3, 3, 4", f32)], [{"b": 1, "h": 5}, {"b": 2, "h": 8}]),
    "conv_strided": (conv_strided, [("b, h, h, 3", f32), ("3, 3, 3, 4", f32)],
                     [{"b": 1, "h": 5}, {"b": 2, "h": 8}]),
    "take": (lambda x, i: jnp.take(x, i, axis=0, mode="clip"), [("b, 4", f32), ("n", i32)], BN),
    "advanced_index": (lambda x, i: x[i, 1], [("b, 4", f32), ("n", i32)], BN),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice_in_dim(x, i, x.shape[0] // 2 + 1, 0),
                      [("b, 4", f32), ("", i32)], B),
    "slice": (lambda x: x[1:, ::-1], [("b, n", f32)], BN),
    "slice_strided": (lambda x: x[::2], [("b, 4", f32)], B),
    "last_row": (lambda x: x[-1], [("b, 4", f32)], B),
    "sort": (lambda x: jnp.sort(x, axis=0), [("b, n", f32)], BN),
    "argsort": (lambda x: jnp.argsort(x, axis=1), [("b, n", f32)], BN),
    "cumsum": (lambda x: jnp.cumsum(x, axis=0), [("b, n", f32)], BN),
    "cumulative": (lambda x: (lax.cummax(x, axis=1), lax.cumlogsumexp(x, axis=0)), [("b, n", f32)], BN),
    "associative_scan": (lambda x: lax.associative_scan(jnp.add, x, axis=1), [("b, 6", f32)], B),
    "while_loop": (newton, [("b, n", f32)], BN),
    "fori_loop": (lambda x: lax.fori_loop(0, x.shape[0], lambda i, a: a.at[i].add(1.0 * i), x),
                  [("b, 4", f32)], B),
    "scan": (lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(x.shape[1]), x), [("b, n", f32)], BN),
    "rnn": (rnn, [("t, b, 3", f32), ("3, 4", f32), ("4, 4", f32)], [{"t": 1, "b": 2}, {"t": 6, "b": 1}]),
    "vmap": (jax.vmap(lambda x, y: jnp.outer(x, y).sum(0)), [("b, n", f32), ("b, 3", f32)], BN),
    "arange": (lambda x: jnp.arange(x.shape[0]) * x.sum(), [("b, 4", f32)], B),
    "arange_float": (lambda x: jnp.arange(x.shape[0], dtype=f32) / x.shape[0], [("b, 4", f32)], B),
    "reshape": (lambda x: (x.reshape(-1), x.reshape(x.shape[0] * 2, -1)), [("b, n, 4", f32)], BN),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, x], 0), [("b, 4", f32), ("n, 4", f32)], BN),
    "stack": (lambda x: jnp.stack([x, 2 * x], 1), [("b, n", f32)], BN),
    "pad": (lambda x: jnp.pad(x, ((1, x.shape[0]), (0, 2)), constant_values=3.0), [("b, 4", f32)], B),
    "argmax": (lambda x: (jnp.argmax(x, 0), jnp.argmin(x, 1)), [("b, n", f32)], BN),
    "one_hot": (lambda i: jax.nn.one_hot(i, 5), [("b, n", i32)], BN),
    "random": (lambda x: jax.random.uniform(jax.random.PRNGKey(7), x.shape) + x, [("b, n", f32)], BN),
    "random_normal": (lambda x: jax.random.normal(jax.random.key(7), (x.shape[0], 3)), [("b", f32)], B),
    "rng_bits": (lambda k, x: lax.rng_bit_generator(k, x.shape)[1], [("4", np.uint32), ("b, n", f32)], BN),
    "top_k": (lambda x: lax.top_k(x, x.shape[1] // 2), [("b, n", f32)], BN),
    "reduce_window": (lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2), (1, 2), "SAME"),
                      [("b, n", f32)], BN),
    "pool_whole": (lambda x: lax.reduce_window(x, 0.0, lax.add, (x.shape[0], 1), (1, 1), "VALID"),
                   [("b, n", f32)], BN),
    "where": (lambda x: jnp.where(x > x.mean(), x, 0.0), [("b, n", f32)], BN),
    "variance": (lambda x: (x.var(0), x.std(), jnp.median(x, axis=1)), [("b, 5", f32)], B),
    "linear_sizes": (lambda x, y: x.reshape(-1) + y, [("b, 4", f32), ("4*b", f32)], B),
    "size_arithmetic": (lambda x: jnp.ones((x.shape[0] * 3 // 2 % 5 + 1, x.shape[0] + 2)) * x[0, 0],
                        [("b, 4", f32)], B),
    "tril": (lambda x: jnp.tril(x @ x.T), [("b, n", f32)], BN),
    "eye": (lambda x: jnp.eye(x.shape[0]) @ x, [("b, n", f32)], BN),
    "kron": (lambda x, y: jnp.einsum("ij,kl->ikjl", x, y).reshape(x.shape[0] * y.shape[0], -1),
             [("b, 2", f32), ("n, 3", f32)], BN),
    "cond": (lambda x: lax.cond(x.sum() > 0, lambda: x * 2.0, lambda: -x), [("b, n", f32)], BN),
    "switch": (lambda x, i: lax.switch(i, [lambda a: a, lambda a: a[::-1], lambda a: a * a], x),
               [("b, n", f32), ("", i32)], BN),
    "segment_sum": (lambda x, i: jax.ops.segment_sum(x, i, 4), [("b, n", f32), ("b", i32)], BN),
    "scatter": (lambda x, u: x.at[: u.shape[0]].set(u), [("b + n, 3", f32), ("n, 3", f32)], BN),
    "scatter_index": (lambda x, i: x.at[i].max(0.5), [("b", f32), ("n", i32)], BN),
    "flip_roll": (lambda x: jnp.roll(jnp.flip(x, 1), 1, axis=0), [("b, n", f32)], BN),
    "tile": (lambda x: jnp.tile(x, (2, 3)), [("b, n", f32)], BN),
    "repeat": (lambda x: jnp.repeat(x, 2, axis=0), [("b, n", f32)], BN),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.swapaxes(1, 2) + 4 * jnp.eye(3)), [("b, 3, 3", f32)], B),
    "solve_triangular": (
        lambda a, x: lax.linalg.triangular_solve(a + 4 * jnp.eye(3), x, left_side=True, lower=True),
        [("b, 3, 3", f32), ("b, 3, n", f32)], BN),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), [("b, 8", f32)], B),
    "embedding_bag": (lambda e, i: e[i].mean(1), [("v, 4", f32), ("b, n", i32)],
                      [{"v": 9, "b": 2, "n": 3}, {"v": 6, "b": 1, "n": 5}]),
    "cast": (lambda x: x.astype(jnp.bfloat16).astype(f32).astype(i32), [("b, n", f32)], BN),
    "approx_top_k": (lambda x: lax.approx_max_k(x, 3, recall_target=1.0), [("b, n", f32)],
                     [{"b": 2, "n": 5}, {"b": 1, "n": 9}], ["n >= 3"]),
    "constraint": (lambda x, y: x[: y.shape[0]] + y, [("b", f32), ("n", f32)],
                   [{"b": 4, "n": 2}, {"b": 3, "n": 3}], ["b >= n"]),
}
GRADIENTS = {
    "matmul": (0, 1), "layer_norm": (0, 1, 2), "attention": (0, 1, 2), "softmax": (0,), "conv": (0, 1),
    "take": (0,), "dynamic_slice": (0,), "slice": (0,), "sort": (0,), "cumsum": (0,),
    "scan": (0,), "rnn": (0, 1, 2), "vmap": (0, 1), "reshape": (0,), "concatenate": (0, 1), "pad": (0,),
    "where": (0,), "variance": (0,), "kron": (0, 1), "cond": (0,), "segment_sum": (0,), "scatter": (0, 1),
    "linear_sizes": (0, 1), "embedding_bag": (0,),
}
for name, numbers in GRADIENTS.items():
    f, *rest = CASES[name]
    CASES[name + "_grad"] = (total(f, *numbers), *rest)


def draw(spec, sizes):
    shape = [eval(d, {}, sizes) for d in spec[0].split(",") if d.strip()]
    if spec[1] == f32:
        return rng.standard_normal(shape).astype(f32)
    return rng.integers(0, 4 if spec[1] == i32 else 1 << 31, shape).astype(spec[1])


for name, (f, specs, shapes, *constraints) in CASES.items():
    scope = export.SymbolicScope(*constraints)
    args = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), d) for s, d in specs]
    try:
        # Of two platforms: so there is a platform index, and `case` operations on it.
        exported = export.export(jax.jit(f), platforms=["cpu", "tpu"])(*args)
    except Exception as e:
        print(f"{name}: {' '.join(str(e).split())[:160]}")
        continue
    (out / f"{name}.bin").write_bytes(exported.serialize())
    for k, sizes in enumerate(shapes):
        values = [draw(spec, sizes) for spec in specs]
        results = jax.tree.leaves(jax.jit(f)(*values))
        arrays = {f"in{i}": v for i, v in enumerate(values)}
        arrays |= {f"out{i}": np.asarray(r) for i, r in enumerate(results)}
        np.savez(out / f"{name}.{k}.npz", **arrays)
