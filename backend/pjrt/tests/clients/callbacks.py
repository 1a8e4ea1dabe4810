"""The host is called from programs: prints, pure and effectful callbacks, ordered ones, in loops.

env: TPUSIM_NUMERICS=ieee
"""

import contextlib
import io

import jax
import jax.numpy as jnp
import numpy as np
from check import TPU, close, raises
from jax.experimental import io_callback

x = jax.device_put(np.arange(6, dtype=np.float32).reshape(2, 3), TPU[0])

out = io.StringIO()
with contextlib.redirect_stdout(out):
    jax.jit(lambda x: jax.debug.print("sum {s} of {n}", s=x.sum(), n=x.size))(x)
    jax.effects_barrier()
assert out.getvalue() == "sum 15.0 of 6\n", out.getvalue()

shape = jax.ShapeDtypeStruct((2, 3), jnp.float32)
f = jax.jit(lambda x: jax.pure_callback(lambda v: np.sin(v), shape, x) + 1)
close(f(x), np.sin(np.asarray(x)) + 1)

two = (jax.ShapeDtypeStruct((), jnp.float32), jax.ShapeDtypeStruct((2,), jnp.int32))
g = jax.jit(lambda a, b: jax.pure_callback(lambda a, b: (np.float32(a.sum() + b), np.array([1, 2], np.int32)), two, a, b))
s, v = g(x, 2.0)
assert s == 17 and v.tolist() == [1, 2]

seen = []


def note(i):
    seen.append(int(i))
    return np.int32(len(seen))


@jax.jit
def loop(x):
    body = lambda i, s: s + io_callback(note, jax.ShapeDtypeStruct((), jnp.int32), i, ordered=True)
    return jax.lax.fori_loop(0, 5, body, x)


assert loop(jnp.int32(0)) == 15
jax.effects_barrier()
assert seen == [0, 1, 2, 3, 4], seen

h = jax.jit(lambda x: jax.vmap(lambda r: jax.pure_callback(np.sum, jax.ShapeDtypeStruct((), jnp.float32), r, vmap_method="sequential"))(x))
close(h(x), np.asarray(x).sum(1))


def wrong(v):
    raise ValueError("this host is broken")


raises("this host is broken", jax.jit(lambda x: jax.pure_callback(wrong, shape, x)), x)
close(f(x), np.sin(np.asarray(x)) + 1)


def again(v):
    """Runs a program on the device that waits for this, and waits for it."""
    return np.asarray(jax.jit(lambda a: a * 2 + jnp.sum(a))(jax.device_put(np.asarray(v), TPU[0])))


close(jax.jit(lambda x: jax.pure_callback(again, shape, x) + 1)(x), np.asarray(x) * 2 + 16)
assert "custom-call" in f.lower(x).compile().as_text() or "send" in f.lower(x).compile().as_text()
print("ok")
