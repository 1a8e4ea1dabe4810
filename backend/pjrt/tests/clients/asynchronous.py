"""Calls return before the device has done its work; many threads may call at once; order is kept.

env: TPUSIM_NUMERICS=ieee TPUSIM_TOPOLOGY=v6e:2x2
"""

import threading
import time

import jax
import jax.numpy as jnp
import numpy as np
from check import close, devices

tpu = devices(4)


def slow(x):
    return jax.lax.fori_loop(0, 200, lambda i, y: jnp.tanh(y @ y) * 0.5, x)


f = jax.jit(slow)
x = jax.device_put(np.eye(256, dtype=np.float32), tpu[0])
f(x).block_until_ready()
start = time.perf_counter()
y = f(x)
called = time.perf_counter() - start
assert not y.is_ready(), "the device was done before the call returned"
z = y + 1
y.block_until_ready()
done = time.perf_counter() - start
assert called < done / 2, (called, done)
close(z, np.asarray(y) + 1)

add = jax.jit(lambda a, b: a * 2 + b)
failures = []


def work(k):
    try:
        device = tpu[k % 4]
        value = jax.device_put(np.full((16,), k, np.int32), device)
        want = np.full((16,), k, np.int32)
        for i in range(100):
            value = add(value, jax.device_put(np.full((16,), i, np.int32), device))
            want = want * 2 + np.int32(i)
        assert (np.asarray(value) == want).all(), k
        assert value.devices() == {device}
    except Exception as e:
        failures.append(e)


threads = [threading.Thread(target=work, args=(k,)) for k in range(12)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failures, failures
print("ok")
