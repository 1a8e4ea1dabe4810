"""What goes wrong is an exception with a code and what to do; the process goes on.

env: TPUSIM_NUMERICS=ieee
"""

import jax
import jax.numpy as jnp
import numpy as np
from check import TPU, close, raises
from jax import lax

x = jnp.arange(4.0)
huge = 1 << 34

text = raises("RESOURCE_EXHAUSTED", jax.jit(lambda: jnp.ones((huge,), jnp.float32)))
assert "GiB" in text, text
text = raises("RESOURCE_EXHAUSTED", jax.jit(lambda x: jnp.broadcast_to(x, (huge, 4)) * 2), x)
assert "largest" in text, text

# A machine's memory fills up, and the message says with what.
limit = TPU[0].memory_stats()["bytes_limit"]
assert limit > 1 << 30

text = raises("UNIMPLEMENTED", jax.jit(lambda x: jax.ffi.ffi_call("no_such_target", jax.ShapeDtypeStruct((4,), jnp.float32))(x)), x)
assert "no_such_target" in text and "errors.py" in text, text


@jax.jit
def poisoned(x):
    return jax.pure_callback(lambda v: 1 / 0, jax.ShapeDtypeStruct((4,), jnp.float32), x)


bad = poisoned(x)
late = bad + 1
later = jax.jit(lambda a, b: a @ b)(late, x)
for value in (bad, late, later):
    raises("division by zero", lambda: np.asarray(value))
close(x + 1, np.arange(4, dtype=np.float32) + 1)

raises("No such compile option: 'no_such_option'", lambda: jax.jit(lambda x: x).lower(x).compile({"no_such_option": True}))

with jax.debug_nans(True):
    raises("nan", lambda: jnp.log(-x))
close(lax.add(x, x), np.arange(4, dtype=np.float32) * 2)
print("ok")
