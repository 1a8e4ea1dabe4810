"""Models whose steps `programs.py` compiles: functions of arrays alone, small enough to be compiled in minutes."""
import jax
import jax.numpy as jnp
from jax import lax

BF16, F32, I32 = jnp.bfloat16, jnp.float32, jnp.int32


def spec(shape, dtype=BF16):
    return jax.ShapeDtypeStruct(shape, dtype)


def layernorm(x, scale, bias):
    y = x.astype(F32)
    mean = y.mean(-1, keepdims=True)
    variance = jnp.square(y - mean).mean(-1, keepdims=True)
    return ((y - mean) * lax.rsqrt(variance + 1e-5) * scale + bias).astype(x.dtype)


def rmsnorm(x, scale):
    y = x.astype(F32)
    return (y * lax.rsqrt(jnp.square(y).mean(-1, keepdims=True) + 1e-5) * scale).astype(x.dtype)


def adamw(parameters, gradients, moments, count, rate=1e-3):
    first, second = moments
    count = count + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    t = count.astype(F32)

    def update(p, m, v):
        return p - rate * (m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8) + 0.01 * p)

    return jax.tree.map(update, parameters, first, second), (first, second), count


def dlrm_train():
    """Eight embedding tables, bags of four, dot interactions; a step of SGD."""
    tables, rows, width, batch = 8, 100_000, 64, 4096
    bottom, top = [13, 512, 256, width], [100, 1024, 512, 1]

    def mlp(x, layers, last):
        for i, w in enumerate(layers):
            x = x @ w
            if last or i + 1 < len(layers):
                x = jax.nn.relu(x)
        return x

    def loss(parameters, dense, sparse, labels):
        x = mlp(dense, parameters["bottom"], True)
        bags = [parameters["tables"][i][sparse[:, i]].sum(1) for i in range(tables)]
        features = jnp.stack([x, *bags], 1)
        products = jnp.einsum("bnd,bmd->bnm", features, features)
        i, j = jnp.triu_indices(tables + 1, 1)
        logits = mlp(jnp.concatenate([x, products[:, i, j]], 1), parameters["top"], False)[:, 0]
        return jnp.mean(jax.nn.softplus(logits) - labels * logits)

    def step(parameters, dense, sparse, labels):
        value, gradients = jax.value_and_grad(loss)(parameters, dense, sparse, labels)
        return value, jax.tree.map(lambda p, g: p - 0.01 * g, parameters, gradients)

    weights = lambda sizes: [spec((a, b), F32) for a, b in zip(sizes, sizes[1:])]
    parameters = {
        "bottom": weights(bottom),
        "tables": [spec((rows, width), F32)] * tables,
        "top": weights(top),
    }
    return step, [parameters, spec((batch, 13), F32), spec((batch, tables, 4), I32), spec((batch,), F32)], (0,)


def transformer_block_train():
    """A block of width 2048 with attention whose scores are written out; master weights in f32, AdamW."""
    batch, length, width, heads, hidden = 4, 2048, 2048, 16, 8192
    head = width // heads

    def block(p, x):
        p = jax.tree.map(lambda w: w.astype(BF16), p)
        y = layernorm(x, p["ln1"], p["b1"])
        q, k, v = (jnp.einsum("bld,dhk->blhk", y, p[n]) for n in ("q", "k", "v"))
        scores = jnp.einsum("bqhk,bshk->bhqs", q, k).astype(F32) * head**-0.5
        seen = jnp.tril(jnp.ones((length, length), bool))
        probabilities = jax.nn.softmax(jnp.where(seen, scores, -1e30), -1).astype(BF16)
        x = x + jnp.einsum("bhqs,bshk,hkd->bqd", probabilities, v, p["o"])
        y = layernorm(x, p["ln2"], p["b2"])
        return x + jax.nn.gelu(y @ p["up"]) @ p["down"]

    def step(parameters, moments, count, x, target):
        loss = lambda p: jnp.mean(jnp.square(block(p, x).astype(F32) - target.astype(F32)))
        value, gradients = jax.value_and_grad(loss)(parameters)
        return value, *adamw(parameters, gradients, moments, count)

    heads_of = spec((width, heads, head), F32)
    vector = spec((width,), F32)
    parameters = {
        "q": heads_of, "k": heads_of, "v": heads_of, "o": spec((heads, head, width), F32),
        "up": spec((width, hidden), F32), "down": spec((hidden, width), F32),
        "ln1": vector, "b1": vector, "ln2": vector, "b2": vector,
    }
    x = spec((batch, length, width))
    return step, [parameters, (parameters, parameters), spec((), I32), x, x], (0, 1, 2)


def convolution(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def batchnorm(x, scale, bias):
    y = x.astype(F32)
    mean = y.mean((0, 1, 2))
    variance = jnp.square(y).mean((0, 1, 2)) - mean * mean
    return ((y - mean) * lax.rsqrt(variance + 1e-5) * scale + bias).astype(x.dtype)


def resnet_bottleneck_train():
    """Three convolutions with batch norms around them, a step of SGD."""
    batch, size, wide, narrow = 64, 56, 256, 64

    def block(p, x):
        y = jax.nn.relu(batchnorm(convolution(x, p["c1"]), p["s1"], p["b1"]))
        y = jax.nn.relu(batchnorm(convolution(y, p["c2"]), p["s2"], p["b2"]))
        return jax.nn.relu(x + batchnorm(convolution(y, p["c3"]), p["s3"], p["b3"]))

    def step(p, x):
        loss = lambda p: jnp.mean(jnp.square(block(p, x).astype(F32)))
        value, gradients = jax.value_and_grad(loss)(p)
        return value, jax.tree.map(lambda p, g: p - (0.1 * g).astype(p.dtype), p, gradients)

    p = {"c1": spec((1, 1, wide, narrow)), "c2": spec((3, 3, narrow, narrow)), "c3": spec((1, 1, narrow, wide))}
    for i, n in (("1", narrow), ("2", narrow), ("3", wide)):
        p |= {"s" + i: spec((n,), F32), "b" + i: spec((n,), F32)}
    return step, [p, spec((batch, size, size, wide))], (0,)


def llama_train():
    """Two layers in a scan, each computed again for its gradient; grouped queries, rotary positions, SwiGLU."""
    batch, length, width, heads, groups, head, hidden, vocabulary = 2, 1024, 2048, 16, 4, 128, 5632, 8192

    def rotate(x):
        angle = jnp.arange(length, dtype=F32)[:, None] * 10_000.0 ** (-jnp.arange(head // 2, dtype=F32) / (head // 2))
        cos, sin = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
        a, b = jnp.split(x.astype(F32), 2, -1)
        return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1).astype(x.dtype)

    @jax.checkpoint
    def layer(x, p):
        y = rmsnorm(x, p["n1"])
        q = rotate(jnp.einsum("bld,dhk->blhk", y, p["q"].astype(BF16)))
        k = rotate(jnp.einsum("bld,dhk->blhk", y, p["k"].astype(BF16)))
        v = jnp.einsum("bld,dhk->blhk", y, p["v"].astype(BF16))
        q = q.reshape(batch, length, groups, heads // groups, head)
        scores = jnp.einsum("bqghk,bsgk->bghqs", q, k).astype(F32) * head**-0.5
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e30)
        attended = jnp.einsum("bghqs,bsgk->bqghk", jax.nn.softmax(scores, -1).astype(BF16), v)
        x = x + attended.reshape(batch, length, heads * head) @ p["o"].astype(BF16)
        y = rmsnorm(x, p["n2"])
        y = jax.nn.silu(y @ p["gate"].astype(BF16)) * (y @ p["up"].astype(BF16))
        return x + y @ p["down"].astype(BF16), None

    def loss(p, tokens, targets):
        x = p["embedding"].astype(BF16)[tokens]
        x, _ = lax.scan(layer, x, p["layers"])
        logits = (rmsnorm(x, p["norm"]) @ p["head"].astype(BF16)).astype(F32)
        taken = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - taken)

    def step(p, tokens, targets):
        value, gradients = jax.value_and_grad(loss)(p, tokens, targets)
        return value, jax.tree.map(lambda p, g: p - 0.01 * g, p, gradients)

    two = lambda *shape: spec((2, *shape), F32)
    layers = {
        "n1": two(width), "n2": two(width), "q": two(width, heads, head), "k": two(width, groups, head),
        "v": two(width, groups, head), "o": two(width, width), "gate": two(width, hidden),
        "up": two(width, hidden), "down": two(hidden, width),
    }
    p = {
        "embedding": spec((vocabulary, width), F32), "layers": layers,
        "norm": spec((width,), F32), "head": spec((width, vocabulary), F32),
    }
    tokens = spec((batch, length), I32)
    return step, [p, tokens, tokens], (0,)


def convnet_train():
    """Convolutions, max pooling, a head: a step of SGD."""

    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss(p, x, labels):
        x = pool(jax.nn.relu(convolution(x, p["c1"])))
        x = pool(jax.nn.relu(convolution(x, p["c2"])))
        x = jax.nn.relu(x.reshape(x.shape[0], -1) @ p["d1"])
        logits = x @ p["d2"]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, 10), -1))

    def step(p, x, labels):
        value, gradients = jax.value_and_grad(loss)(p, x, labels)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, p, gradients)

    p = {
        "c1": spec((3, 3, 3, 64), F32), "c2": spec((3, 3, 64, 128), F32),
        "d1": spec((8 * 8 * 128, 256), F32), "d2": spec((256, 10), F32),
    }
    return step, [p, spec((256, 32, 32, 3), F32), spec((256,), I32)], (0,)


def lstm_layernorm():
    """Sixty-four steps in a scan, gates normalized."""
    batch, steps, width = 256, 64, 1024

    def f(xs, w, u, scale, bias):
        def cell(carry, x):
            h, c = carry
            gates = layernorm(x @ w + h @ u, scale, bias)
            i, f, g, o = jnp.split(gates, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((batch, width), xs.dtype)
        return lax.scan(cell, (zero, zero), xs)

    w = spec((width, 4 * width))
    return f, [spec((steps, batch, width)), w, w, spec((4 * width,)), spec((4 * width,))], ()


MODELS = [dlrm_train, resnet_bottleneck_train, llama_train, transformer_block_train]
SMALLER = [lstm_layernorm, convnet_train]
