"""The bench programs, as JAX functions with their inputs. Exported once as StableHLO text."""

import numpy as np
import jax
import jax.numpy as jnp
import ml_dtypes

F32, BF16 = np.float32, ml_dtypes.bfloat16
M16 = 1 << 24


def normal(shape, dtype=F32, seed=0, scale=1.0):
    return (np.random.default_rng(seed).standard_normal(shape, F32) * F32(scale)).astype(dtype)


def gemm(n, dtype):
    return (lambda a, b: a @ b), (normal((n, n), dtype, 1), normal((n, n), dtype, 2))


def gpt2_block(dtype, seq=256, d=768, heads=12):
    """One pre-norm transformer block of GPT-2 small."""

    def norm(x, g, b):
        x = x.astype(jnp.float32)
        mean = x.mean(-1, keepdims=True)
        var = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (((x - mean) * jax.lax.rsqrt(var + 1e-5)) * g + b).astype(dtype)

    def block(x, wqkv, wo, w1, w2, g1, b1, g2, b2):
        h = norm(x, g1, b1)
        q, k, v = jnp.split(h @ wqkv, 3, axis=-1)
        split = lambda t: t.reshape(seq, heads, d // heads).transpose(1, 0, 2)
        q, k, v = split(q), split(k), split(v)
        s = jnp.einsum("hqd,hkd->hqk", q, k, preferred_element_type=jnp.float32) / np.sqrt(d // heads).astype(F32)
        s = jnp.where(jnp.tril(jnp.ones((seq, seq), bool)), s, F32(-1e30))
        a = jax.nn.softmax(s, axis=-1).astype(dtype)
        o = jnp.einsum("hqk,hkd->hqd", a, v).transpose(1, 0, 2).reshape(seq, d)
        x = x + o @ wo
        h = norm(x, g2, b2)
        return x + jax.nn.gelu(h @ w1) @ w2

    w = lambda shape, seed: normal(shape, dtype, seed, 0.02)
    ones, zeros = np.ones(d, F32), np.zeros(d, F32)
    return block, (normal((seq, d), dtype, 0), w((d, 3 * d), 1), w((d, d), 2), w((d, 4 * d), 3), w((4 * d, d), 4),
                   ones, zeros, ones, zeros)


def softmax(n=4096):
    return (lambda x: jax.nn.softmax(x, axis=-1)), (normal((n, n)),)


def layernorm(n=4096):
    def f(x, g, b):
        mean = x.mean(-1, keepdims=True)
        var = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(var + 1e-5) * g + b

    return f, (normal((n, n)), normal((n,), seed=1), normal((n,), seed=2))


def chain(n=M16):
    """Twenty elementwise operations."""

    def f(x, y):
        for i in range(5):
            x = x * y + F32(0.5 + i)
            x = jnp.maximum(x, y) - F32(0.25)
        return x

    return f, (normal((n,)), normal((n,), seed=1))


def reduce(n=M16):
    return (lambda x: x.sum()), (normal((n,)),)


def conv():
    def f(x, w):
        dims = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=dims)

    return f, (normal((1, 56, 56, 64)), normal((3, 3, 64, 64), seed=1))


def sort(n=1 << 20):
    return (lambda x: jnp.sort(x)), (normal((n,)),)


def gather(rows=1 << 20, table=1 << 20, width=64):
    index = np.random.default_rng(0).integers(0, table, rows, np.int32)
    return (lambda t, i: jnp.take(t, i, axis=0, mode="clip")), (normal((table, width)), index)


def cumsum(n=M16):
    return (lambda x: jnp.cumsum(x)), (normal((n,)),)


def threefry(n=M16):
    return (lambda k: jax.random.bits(jax.random.wrap_key_data(k), (n,))), (np.array([1, 2], np.uint32),)


PROGRAMS = {
    "gemm_1024_f32": lambda: gemm(1024, F32),
    "gemm_1024_bf16": lambda: gemm(1024, BF16),
    "gemm_2048_f32": lambda: gemm(2048, F32),
    "gemm_2048_bf16": lambda: gemm(2048, BF16),
    "gpt2_block_f32": lambda: gpt2_block(F32),
    "gpt2_block_bf16": lambda: gpt2_block(BF16),
    "softmax_4096": softmax,
    "layernorm_4096": layernorm,
    "chain20_16m": chain,
    "reduce_16m": reduce,
    "conv3x3_64x56x56": conv,
    "sort_1m": sort,
    "gather_1m_rows": gather,
    "cumsum_16m": cumsum,
    "threefry_16m": threefry,
}
