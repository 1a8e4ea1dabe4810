"""Arrays of every type come and go unharmed; small functions give what they give on the CPU.

env: TPUSIM_NUMERICS=ieee
"""

import jax
import jax.numpy as jnp
import numpy as np
from check import TPU, close, same

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(0)

names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32"]
names += ["float64", "bfloat16", "complex64", "complex128", "int4", "uint4", "float8_e4m3fn", "float8_e5m2"]
names += ["float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e3m4", "float8_e4m3", "int2", "uint2"]
names += ["float8_e8m0fnu", "float4_e2m1fn"]
for name in names:
    dtype = jnp.dtype(name)
    raw = rng.integers(0, 2, (3, 4, 5)) if name in ("bool", "int2", "uint2") else rng.integers(0, 7, (3, 4, 5))
    host = raw.astype(dtype)
    views = {"dense": host, "transposed": host.T, "reversed": host[::-1, :, ::2], "scalar": host[0, 0, 0]}
    views |= {"empty": host[:0], "broadcast": np.broadcast_to(host[:, :1, :], (3, 4, 5))}
    for what, view in views.items():
        array = jax.device_put(view, TPU[0])
        assert array.dtype == dtype and array.shape == np.shape(view), (name, what, array.dtype, array.shape)
        back = np.asarray(array)
        assert back.tobytes() == np.ascontiguousarray(view).tobytes(), (name, what, back, view)

x = rng.standard_normal((5, 7)).astype(np.float32)
same(lambda x: jnp.tanh(x) * 2 + jnp.sum(x), x)
same(lambda x: x @ x.T, x)
same(lambda x: jnp.sort(x, axis=0)[::-1], x)
same(lambda x: (jnp.argmax(x, 1), jnp.cumsum(x, 1), x.astype(jnp.bfloat16), x > 0), x)
same(lambda x: jnp.linalg.svd(x, compute_uv=False), x, tolerance=1e-4)
same(lambda x: jnp.fft.fft(x), x)
same(lambda x: jax.grad(lambda y: jnp.sum(jnp.sin(y) ** 2))(x), x)
same(lambda: (jnp.zeros((0, 3)), jnp.arange(5), jnp.float64(3)))
same(lambda x: x, x)
same(lambda x, y: (y, x, x), x, np.int32(3))
same(lambda x: jnp.concatenate([x, np.ones((0, 7), np.float32)]), x)
same(lambda x: jax.lax.dot(x, np.ones((7, 2), np.int32), preferred_element_type=np.float32), x)
same(lambda k: jax.random.normal(jax.random.wrap_key_data(k), (4, 3)), np.array([1, 2], np.uint32))
same(lambda x: jax.lax.conv(x[None, None], jnp.ones((1, 1, 2, 2), jnp.float32), (1, 1), "SAME"), x)

# Eager, op by op, and many arguments.
y = jnp.asarray(x)
close(np.asarray((y + 1) * y - y / 2), (x + 1) * x - x / 2)
many = [np.full((2,), i, np.float32) for i in range(300)]
same(lambda *a: sum(a), *many)
print("ok")
