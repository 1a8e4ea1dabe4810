"""Donated arguments are gone afterwards, their memory is reused, kept ones are unharmed.

env: TPUSIM_NUMERICS=ieee
"""

import jax
import jax.numpy as jnp
import numpy as np
from check import TPU, close, raises

host = np.arange(1 << 16, dtype=np.float32)
x, y = jax.device_put(host, TPU[0]), jax.device_put(host, TPU[0])
f = jax.jit(lambda x, y: (x + y, y * 2), donate_argnums=0)
a, b = f(x, y)
assert x.is_deleted() and not y.is_deleted()
close(a, host * 2)
close(b, host * 2)
raises("delete", lambda: x + 1)
close(y, host)
raises("donate", lambda: jax.jit(lambda x, y: (x + 1, y + 1), donate_argnums=(0, 1))(y, y))
close(y, host)


def in_use():
    return TPU[0].memory_stats()["bytes_in_use"]


step = jax.jit(lambda s: s * 0.5 + 1, donate_argnums=0)
state = step(jax.device_put(host, TPU[0]))
jax.block_until_ready(state)
before = in_use()
for _ in range(50):
    state = step(state)
jax.block_until_ready(state)
assert in_use() == before, (in_use(), before)
close(state, np.full_like(host, 2.0), tolerance=1e-3)

alive = jnp.arange(8.0) + 0
view = np.asarray(alive)
alive.delete()
raises("delete", lambda: alive + 1)
assert view.tolist() == list(range(8))
print("ok")
