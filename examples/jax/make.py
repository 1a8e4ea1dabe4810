"""Writes the JAX examples: for each function its StableHLO (with the Python lines it comes from), its
inputs, and what JAX computes on a CPU.

    cargo xtask test          # sets up .venv
    .venv/bin/python examples/jax/make.py
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

# Locations name this file without the directory it happens to be in.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
jax.config.update("jax_default_matmul_precision", "highest")
HERE = Path(__file__).parent
random = np.random.default_rng(0)


def normal(*shape, scale=1.0):
    return (random.standard_normal(shape) * scale).astype(np.float32)


def mlp(x, w1, b1, w2, b2):
    h = jax.nn.relu(x @ w1 + b1)
    return jax.nn.softmax(h @ w2 + b2)


def attention(q, k, v):
    """Causal, over [heads, sequence, head dimension]."""
    s = jnp.einsum("hqd,hkd->hqk", q, k) / np.float32(np.sqrt(q.shape[-1]))
    s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -jnp.inf)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(s), v)


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def conv(image, kernel):
    return jax.lax.conv_general_dilated(
        image, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


EXAMPLES = {
    mlp: (normal(4, 16), normal(16, 32, scale=0.3), normal(32), normal(32, 10, scale=0.3), normal(10)),
    attention: (normal(2, 12, 8), normal(2, 12, 8), normal(2, 12, 8)),
    softmax: (normal(4, 50, scale=3.0),),
    conv: (normal(1, 8, 8, 3), normal(3, 3, 3, 4)),
}

for function, operands in EXAMPLES.items():
    name = function.__name__
    # The matrix products at default precision: on a TPU, bf16 operands. The expectation is exact.
    with jax.default_matmul_precision("default"):
        text = jax.jit(function).lower(*operands).as_text(debug_info=True)
    (HERE / f"{name}.mlir").write_text(text)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    np.savez(HERE / f"{name}.inputs.npz", **dict(zip(names, operands)))
    np.savez(HERE / f"{name}.expected.npz", out0=np.asarray(jax.jit(function)(*operands)))
    print("wrote", name)
