"""Executables are written to JAX's cache on disk and read back; serialized ones run; others' bytes are refused.

env: TPUSIM_NUMERICS=ieee
"""

import glob
import os
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from check import TPU, close, raises
from jax.experimental import serialize_executable

with tempfile.TemporaryDirectory() as folder:
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    x = jnp.arange(7.0)
    f = lambda x: jnp.cos(x) * 3
    first = jax.jit(f)(x)
    files = glob.glob(os.path.join(folder, "*"))
    assert files, "nothing was written to the cache"
    jax.clear_caches()
    close(jax.jit(f)(x), np.asarray(first))
    assert len(glob.glob(os.path.join(folder, "*"))) == len(files), "the cache was not used"
    jax.config.update("jax_compilation_cache_dir", None)

compiled = jax.jit(lambda x: x * 2 + 1).lower(x).compile()
payload, inputs, outputs = serialize_executable.serialize(compiled)
again = serialize_executable.deserialize_and_load(payload, inputs, outputs)
close(again(x), np.arange(7, dtype=np.float32) * 2 + 1)
client = TPU[0].client
raises("INVALID_ARGUMENT", lambda: client.deserialize_executable(b"something else", client.devices()))
print("ok")
