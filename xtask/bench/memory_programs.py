"""The programs of the memory bench: name -> (function, shapes, donated arguments).

Buffers are of 8 to 128 MiB, so that small tables do not matter; arithmetic is kept cheap, because the
tests run these programs too. Each part of a program's name says what would hold memory too long.
"""

import ml_dtypes
import numpy as np
import jax
import jax.numpy as jnp
from jax import lax

F32, BF16, I32, I8, U32 = np.float32, ml_dtypes.bfloat16, np.int32, np.int8, np.uint32
M = 1 << 20


def s(*shape, dtype=F32):
    return jax.ShapeDtypeStruct(shape, dtype)


def adam(params, grads, m, v):
    """One update, as optax writes it (without the bias correction's counters)."""
    tree = jax.tree.map
    m = tree(lambda m, g: F32(0.9) * m + F32(0.1) * g, m, grads)
    v = tree(lambda v, g: F32(0.999) * v + F32(0.001) * g * g, v, grads)
    p = tree(lambda p, m, v: p - F32(1e-3) * m / (jnp.sqrt(v) + F32(1e-8)), params, m, v)
    return p, m, v


def train_step(loss):
    def step(params, m, v, *batch):
        value, grads = jax.value_and_grad(loss)(params, *batch)
        return *adam(params, grads, m, v), value

    return step


def mlp_train():
    def loss(params, x, y):
        for w, b in params[:-1]:
            x = jax.nn.relu(x @ w + b)
        w, b = params[-1]
        return jnp.mean((x @ w + b - y) ** 2)

    sizes = [256, 2048, 2048, 256]
    params = [(s(a, b), s(b)) for a, b in zip(sizes, sizes[1:])]
    return train_step(loss), (params, params, params, s(128, 256), s(128, 256))


def norm(x, g):
    x32 = x.astype(F32)
    return (x32 * lax.rsqrt(jnp.mean(x32 * x32, -1, keepdims=True) + F32(1e-6)) * g).astype(x.dtype)


def layer(p, x, heads):
    n, d = x.shape
    h = norm(x, p["g1"])
    q, k, v = [(h @ p[w]).reshape(n, heads, d // heads).transpose(1, 0, 2) for w in ("q", "k", "v")]
    a = jnp.einsum("hqd,hkd->hqk", q, k) * F32(1 / np.sqrt(d // heads)).astype(x.dtype)
    a = jnp.where(jnp.tril(jnp.ones((n, n), bool)), a, jnp.asarray(-1e30, x.dtype))
    a = jax.nn.softmax(a, -1)
    x = x + jnp.einsum("hqk,hkd->hqd", a, v).transpose(1, 0, 2).reshape(n, d) @ p["o"]
    return x + jax.nn.gelu(norm(x, p["g2"]) @ p["up"]) @ p["down"]


def layer_shapes(d, dtype=F32, lead=()):
    w = lambda *shape: s(*lead, *shape, dtype=dtype)
    return dict(q=w(d, d), k=w(d, d), v=w(d, d), o=w(d, d), up=w(d, 4 * d), down=w(4 * d, d),
                g1=s(*lead, d), g2=s(*lead, d))


def transformer_train(dtype=F32, n=512, d=256, heads=8, vocab=8192, layers=2):
    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for p in params["layers"]:
            x = layer(p, x, heads)
        logits = (x @ params["embed"].T).astype(F32)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[:, None], 1))

    params = dict(embed=s(vocab, d, dtype=dtype), layers=[layer_shapes(d, dtype) for _ in range(layers)])
    f32 = jax.tree.map(lambda t: s(*t.shape), params)

    def step(params, m, v, *batch):
        value, grads = jax.value_and_grad(loss)(params, *batch)
        new, m, v = adam(jax.tree.map(lambda p: p.astype(F32), params), jax.tree.map(lambda g: g.astype(F32), grads), m, v)
        return jax.tree.map(lambda p, n: n.astype(p.dtype), params, new), m, v, value

    return step, (params, f32, f32, s(n, dtype=I32), s(n, dtype=I32))


def scan_layers(grad, n=256, d=256, layers=6):
    def forward(params, x):
        return lax.scan(lambda x, p: (layer(p, x, 8), None), x, params)[0]

    shapes = (layer_shapes(d, lead=(layers,)), s(n, d))
    return (jax.grad(lambda p, x: forward(p, x).sum()) if grad else forward), shapes


def while_update(n=64, rows=64, width=64 * 1024):
    """A loop that writes one row of a large carried buffer each time."""

    def f(buffer, x):
        def body(i, carry):
            buffer, x = carry
            row = lax.dynamic_slice(buffer, (i, 0), (1, width))
            x = x * F32(0.5) + row
            return lax.dynamic_update_slice(buffer, x, (i, 0)), x

        return lax.fori_loop(0, n, body, (buffer, x))

    return f, (s(rows, width), s(1, width))


def while_double(n=8):
    """Two large buffers swapped in a loop (a stencil)."""

    def f(a):
        def body(_, c):
            old, new = c
            new = F32(0.25) * (jnp.roll(old, 1, 0) + jnp.roll(old, -1, 0) + F32(2) * old)
            return new, old

        return lax.fori_loop(0, n, body, (a, a))[0]

    return f, (s(2048, 2048),)


def residual_chain(n=4 * M):
    def f(x):
        for i in range(12):
            x = x + jnp.tanh(x * F32(0.1 + i))
        return x

    return f, (s(n),)


def long_residual(n=2048, d=1024):
    """Elementwise stretches between products, each with a skip connection."""

    def f(x, w):
        for _ in range(6):
            x = x + jax.nn.gelu(norm(x, F32(1)) @ w)
        return x

    return f, (s(n, d), s(d, d))


def convnet(batch=8, size=64):
    def loss(ws, x):
        for w in ws:
            x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.relu(x)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return x.mean()

    ws = [s(3, 3, 8, 16), s(3, 3, 16, 32), s(3, 3, 32, 32)]
    return jax.value_and_grad(loss), (ws, s(batch, size, size, 8))


def attention(n=2048, heads=4, d=64, dtype=F32):
    def f(q, k, v):
        a = jnp.einsum("hqd,hkd->hqk", q, k) * jnp.asarray(0.125, dtype)
        return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(a, -1), v)

    return f, (s(heads, n, d, dtype=dtype),) * 3


def attention_grad(n=1024, heads=8, d=64):
    f, shapes = attention(n, heads, d)
    return jax.grad(lambda *a: f(*a).sum(), argnums=(0, 1, 2)), shapes


def dropout(n=8 * M):
    def f(key, x):
        keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.9, x.shape)
        return jnp.where(keep, x / F32(0.9), F32(0))

    return f, (s(2, dtype=U32), s(n))


def random_normal(n=8 * M):
    return (lambda key: jax.random.normal(jax.random.wrap_key_data(key), (n,))), (s(2, dtype=U32),)


def sort_payload(n=2 * M):
    def f(keys, a, b):
        return lax.sort((keys, a, b), num_keys=1)

    return f, (s(n), s(n, dtype=I32), s(n))


def argsort_rows(n=1024, m=2048):
    return (lambda x: jnp.argsort(x, -1)), (s(n, m),)


def embedding_grad(rows=256 * 1024, width=32, n=64 * 1024):
    def f(table, index):
        return jax.grad(lambda t: (t[index] ** 2).sum())(table)

    return f, (s(rows, width), s(n, dtype=I32))


def scatter_add(rows=256 * 1024, width=32, n=64 * 1024):
    return (lambda t, i, u: t.at[i].add(u)), (s(rows, width), s(n, dtype=I32), s(n, width))


def pads(n=4 * M):
    def f(x, y):
        z = jnp.concatenate([x, y, x + y])
        return jnp.pad(z, (M, M)) * F32(2)

    return f, (s(n), s(n))


def concat_heads(n=1024, d=1024):
    """Rotary embedding: halves are rotated and concatenated."""

    def f(x, cos, sin):
        a, b = jnp.split(x, 2, -1)
        return x * cos + jnp.concatenate([-b, a], -1) * sin

    return f, (s(n, 8, d), s(n, 1, d), s(n, 1, d))


def reductions(n=4096, m=2048):
    def f(x):
        y = jnp.exp(x - x.max(-1, keepdims=True))
        return y.sum(-1), (y * y).sum(0), jnp.argmax(y, -1), y.var()

    return f, (s(n, m),)


def pairwise(n=2048, d=16):
    """A reduction over an intermediate far larger than operands and result."""
    return (lambda a, b: ((a[:, None, :] - b[None, :, :]) ** 2).sum(-1)), (s(n, d), s(n, d))


def bf16_chain(n=8 * M):
    def f(x, y):
        z = x * y + x
        return (jnp.tanh(z) * y).astype(BF16), z.astype(F32).sum()

    return f, (s(n, dtype=BF16), s(n, dtype=BF16))


def bf16_matmul(n=1024):
    return (lambda a, b, c: jax.nn.relu(a @ b) @ c), (s(4096, n, dtype=BF16), s(n, n, dtype=BF16), s(n, n, dtype=BF16))


def matmul_chain(n=1024, length=6):
    def f(x, *ws):
        for w in ws:
            x = x @ w
        return x

    return f, (s(n, n),) * (length + 1)


def wide_matmul():
    """A large right-hand side: packing it whole would double it."""
    return (lambda x, w: x @ w), (s(64, 1024), s(1024, 16 * 1024))


def transposed_matmul():
    return (lambda x, w: x.T @ w.T), (s(1024, 2048), s(4096, 1024))


def int8_matmul(n=2048):
    def f(x, w, scale):
        acc = lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=I32)
        return acc.astype(F32) * scale

    return f, (s(n, n, dtype=I8), s(n, n, dtype=I8), s(n))


def dequantized_matmul(n=2048):
    """Weights in 8 bits, made f32 in front of the product."""
    return (lambda x, w, scale: x @ (w.astype(F32) * scale)), (s(256, n), s(n, 4 * n, dtype=I8), s(4 * n))


def kv_cache(n=4096, heads=8, d=128):
    def f(cache_k, cache_v, q, k, v, at):
        cache_k = lax.dynamic_update_slice(cache_k, k, (at, 0, 0))
        cache_v = lax.dynamic_update_slice(cache_v, v, (at, 0, 0))
        a = jax.nn.softmax(jnp.einsum("hd,nhd->hn", q, cache_k), -1)
        return cache_k, cache_v, jnp.einsum("hn,nhd->hd", a, cache_v)

    c, row = s(n, heads, d), s(1, heads, d)
    return f, (c, c, s(heads, d), row, row, s(dtype=I32))


def fft2(n=2048):
    return (lambda x: jnp.abs(jnp.fft.fft2(x))), (s(n, n),)


def transposes():
    def f(x):
        return jnp.tanh(x.transpose(2, 0, 1)).sum(0) + x.transpose(1, 2, 0).max(1)

    return f, (s(256, 256, 64),)


def cumsum_rows(n=2048, m=2048):
    return (lambda x: jnp.cumsum(x, -1) / jnp.cumsum(jnp.abs(x), 0)), (s(n, m),)


def masks(n=4096):
    """Predicates and broadcasts that need no memory of their own."""

    def f(x, row):
        i, j = jnp.arange(n)[:, None], jnp.arange(n)[None, :]
        return jnp.where((i >= j) & (i - j < 512), x + row, F32(-1e9)) * jnp.full((n, n), F32(0.5))

    return f, (s(n, n), s(n))


def top_k(n=1024, m=4096):
    return (lambda x: lax.top_k(x, 8)), (s(n, m),)


def branches(n=4 * M):
    def f(i, x, y):
        return lax.switch(i, [lambda x, y: x * y + F32(1), lambda x, y: jnp.exp(x) - y, lambda x, y: x], x, y)

    return f, (s(dtype=I32), s(n), s(n))


def rnn(steps=128, n=64, d=512):
    """Forward and backward over a scan: activations of every step are kept."""

    def loss(w, u, xs):
        def step(h, x):
            h = jnp.tanh(h @ w + x @ u)
            return h, h

        return lax.scan(step, jnp.zeros((n, d), F32), xs)[1].mean()

    return jax.grad(loss, argnums=(0, 1)), (s(d, d), s(d, d), s(steps, n, d))


def batch_norm_train(n=64, c=64):
    def f(x, g, b):
        mean = x.mean((0, 1, 2))
        var = x.var((0, 1, 2))
        return jax.nn.relu((x - mean) * lax.rsqrt(var + F32(1e-5)) * g + b), mean, var

    return f, (s(n, 32, 32, c), s(c), s(c))


def moe(tokens=1024, d=256, experts=8):
    def f(x, gate, up, down):
        weights = jax.nn.softmax(x @ gate, -1)
        h = jax.nn.gelu(jnp.einsum("td,edf->etf", x, up))
        return jnp.einsum("etf,efd,te->td", h, down, weights)

    return f, (s(tokens, d), s(d, experts), s(experts, d, 4 * d), s(experts, 4 * d, d))


def plain(make, *args):
    return lambda: (*make(*args), ())


def donated(make, which, *args):
    return lambda: (*make(*args), which)


PROGRAMS = {
    "mlp_train": plain(mlp_train),
    "mlp_train_donated": donated(mlp_train, (0, 1, 2)),
    "transformer_train": plain(transformer_train),
    "transformer_train_donated": donated(transformer_train, (0, 1, 2)),
    "transformer_train_bf16": donated(transformer_train, (0, 1, 2), BF16),
    "scan_layers": plain(scan_layers, False),
    "scan_layers_grad": plain(scan_layers, True),
    "while_update": plain(while_update),
    "while_update_donated": donated(while_update, (0,)),
    "while_double": plain(while_double),
    "residual_chain": plain(residual_chain),
    "residual_chain_donated": donated(residual_chain, (0,)),
    "long_residual": plain(long_residual),
    "convnet_grad": plain(convnet),
    "attention": plain(attention),
    "attention_bf16": plain(attention, 2048, 4, 64, BF16),
    "attention_grad": plain(attention_grad),
    "dropout": plain(dropout),
    "random_normal": plain(random_normal),
    "sort_payload": plain(sort_payload),
    "argsort_rows": plain(argsort_rows),
    "embedding_grad": plain(embedding_grad),
    "scatter_add": plain(scatter_add),
    "scatter_add_donated": donated(scatter_add, (0,)),
    "pads": plain(pads),
    "rotary": plain(concat_heads),
    "reductions": plain(reductions),
    "pairwise": plain(pairwise),
    "bf16_chain": plain(bf16_chain),
    "bf16_matmul": plain(bf16_matmul),
    "matmul_chain": plain(matmul_chain),
    "wide_matmul": plain(wide_matmul),
    "transposed_matmul": plain(transposed_matmul),
    "int8_matmul": plain(int8_matmul),
    "dequantized_matmul": plain(dequantized_matmul),
    "kv_cache": plain(kv_cache),
    "kv_cache_donated": donated(kv_cache, (0, 1)),
    "fft2": plain(fft2),
    "transposes": plain(transposes),
    "cumsum_rows": plain(cumsum_rows),
    "masks": plain(masks),
    "top_k": plain(top_k),
    "branches": plain(branches),
    "rnn_grad": plain(rnn),
    "batch_norm_train": plain(batch_norm_train),
    "moe": plain(moe),
}
