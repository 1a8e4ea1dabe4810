"""Loops, branches, maps and scans, forward and backward.

env: TPUSIM_NUMERICS=ieee
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from check import same
from jax import lax

x = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)
n = np.int32(7)
same(lambda n: lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] * 2), (0, 1)), n)
same(lambda n, x: lax.fori_loop(0, n, lambda i, y: y + jnp.sin(y) * i, x), n, x)
same(lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), x)
same(lambda n, x: lax.switch(n % 3, [jnp.sin, jnp.cos, lambda x: x * x], x), n, x)
same(lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(4), x), x)
same(lambda x: jax.grad(lambda x: lax.scan(lambda c, r: (jnp.tanh(c + r), c), jnp.zeros(4), x)[0].sum())(x), x)
same(lambda x: jax.vmap(lambda r: lax.associative_scan(jnp.add, r))(x), x)
same(lambda x: lax.map(lambda r: r.sum() * r, x), x)
same(lambda x: jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))(x), x)
same(lambda x: jax.jvp(jnp.exp, (x,), (x,)), x)
same(lambda x: jax.hessian(lambda v: jnp.prod(jnp.sin(v)))(x[0]), x, tolerance=1e-4)
same(lambda x: lax.custom_root(lambda y: y**3 - x, x, lambda f, y: lax.fori_loop(0, 40, lambda i, y: y - (y**3 - x) / (3 * y**2 + 1e-3), y), lambda g, y: y / g(1.0)), np.float32(2), tolerance=1e-3)


def nested(levels, x):
    """Scans within scans: each adds levels to the call stacks that its operations carry."""
    if levels == 0:
        return jnp.sin(x)
    return lax.scan(lambda c, _: (nested(levels - 1, c) * 0.9, None), x, None, length=1)[0]


sys.setrecursionlimit(20_000)
same(lambda x: nested(110, x), x)
print("ok")
