"""The pip package's way: JAX finds the platform `tpusim` by its entry point, where it is asked for, and only there.

env: TPUSIM_NUMERICS=ieee TPUSIM_TOPOLOGY=v5e:2x2
way: entry point
"""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import tpusim
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

assert tpusim.library_path() == os.environ["TPUSIM_LIBRARY"], tpusim.library_path()
tpu, cpu = jax.devices("tpusim"), jax.devices("cpu")[0]
assert len(tpu) == 4 and {d.device_kind for d in tpu} == {"TPU v5 lite"}, tpu
assert jax.devices() == tpu and jax.default_backend() == "tpu", jax.default_backend()
assert f"tpusim {tpusim.__version__} " in tpu[0].client.platform_version, tpu[0].client.platform_version

x = np.arange(32, dtype=np.float32).reshape(8, 4)


def f(x):
    y = jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    return jnp.tanh(x @ y.T).sum(0)


got = jax.jit(f)(x)
assert got.devices() == {tpu[0]}
np.testing.assert_allclose(got, jax.jit(f)(jax.device_put(x, cpu)), rtol=1e-5, atol=1e-5)
mesh = Mesh(np.array(tpu), ("i",))
mapped = jax.shard_map(lambda v: jax.lax.psum(v, "i"), mesh=mesh, in_specs=P("i"), out_specs=P())
np.testing.assert_array_equal(jax.jit(mapped)(jax.device_put(x, NamedSharding(mesh, P("i")))), x.reshape(4, 2, 4).sum(0))


def elsewhere(code, platforms=None, **more):
    """What another process prints, and what it says on stderr."""
    env = {k: v for k, v in os.environ.items() if k not in ("JAX_PLATFORMS", "TPUSIM_QUIET")} | more
    env |= {} if platforms is None else {"JAX_PLATFORMS": platforms}
    outcome = subprocess.run([sys.executable, "-c", f"import jax\n{code}"], env=env, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout.strip(), outcome.stderr


# Nobody asks: JAX does not even hear of it. (`backends` makes every platform that JAX knows.)
known = "from jax._src import xla_bridge as b; print(*b.backends()); print(*b.known_platforms())"
out, err = elsewhere(known)
assert "tpusim" not in out and "tpusim" not in err, (out, err)
# Asked for in JAX's own configuration; as one beside another, which stays the default.
code = "jax.config.update('jax_platforms', 'tpusim'); print(jax.devices()[0].device_kind)"
out, err = elsewhere(code)
assert out == "TPU v5 lite" and "simulated" in err, (out, err)
out, err = elsewhere("print(jax.default_backend(), len(jax.devices('tpusim')))", "cpu,tpusim")
assert out == "cpu 4", (out, err)
# Where nobody asks for a platform JAX drops the error of one that does not start: then the library says it.
bad = {"TPU_LIBRARY_PATH": tpusim.library_path(), "TPU_SKIP_MDS_QUERY": "1", "TPUSIM_TOPOLOGY": "v8i:2x2"}
out, err = elsewhere("print(jax.default_backend())", **bad)
assert out == "cpu" and "tpusim: TPUSIM_TOPOLOGY: topology \"v8i:2x2\"" in err, (out, err)
print("ok")
