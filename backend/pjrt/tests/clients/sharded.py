"""Eight devices: jit with shardings, shard_map with every collective, pmap, transfers between devices.

env: TPUSIM_NUMERICS=ieee TPUSIM_TOPOLOGY=v5e:2x4
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from check import CPU, close, devices
from jax import lax
from jax.experimental import io_callback, mesh_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

tpu = devices(8)
mesh = Mesh(mesh_utils.create_device_mesh((2, 4), tpu), ("x", "y"))
host = np.arange(64, dtype=np.float32).reshape(8, 8)
put = lambda spec: jax.device_put(host, NamedSharding(mesh, spec))

for spec in [P("x", "y"), P("y"), P(None, "x"), P(("x", "y")), P()]:
    a = put(spec)
    assert (np.asarray(a) == host).all()
    for shard in a.addressable_shards:
        assert (np.asarray(shard.data) == host[shard.index]).all()

f = jax.jit(lambda a, b: jnp.tanh(a @ b / 100), out_shardings=NamedSharding(mesh, P("x", None)))
got = f(put(P("x", "y")), put(P("y")))
assert got.sharding.is_equivalent_to(NamedSharding(mesh, P("x", None)), 2), got.sharding
close(got, np.tanh(host @ host / 100))
close(jax.jit(lambda a: a.sum())(put(P("x", "y"))), host.sum())
close(jax.jit(lambda a: (a + 1, a.T))(put(P("x", "y"))), (host + 1, host.T))

sm = lambda f, i, o: jax.jit(jax.shard_map(f, mesh=mesh, in_specs=i, out_specs=o, check_vma=False))
a = put(P("x", "y"))
b = host.reshape(2, 4, 4, 2).transpose(0, 2, 1, 3)  # [x, y, rows, columns] of each device
close(sm(lambda v: lax.psum(v, "x"), P("x", "y"), P(None, "y"))(a), host[:4] + host[4:])
close(sm(lambda v: lax.psum(v, ("x", "y")), P("x", "y"), P())(a), sum(b[i, j] for i in range(2) for j in range(4)))
close(sm(lambda v: lax.pmean(v, "y"), P("x", "y"), P("x"))(a), b.mean(1).reshape(8, 2))
close(sm(lambda v: lax.pmax(v, "y"), P("x", "y"), P("x"))(a), b.max(1).reshape(8, 2))
close(sm(lambda v: lax.all_gather(v, "y", axis=1, tiled=True), P("x", "y"), P("x"))(a), host)
close(sm(lambda v: lax.psum_scatter(v, "x", tiled=True), P("x", "y"), P("x", "y"))(a), host[:4] + host[4:])
ring = [(i, (i + 1) % 4) for i in range(4)]
close(sm(lambda v: lax.ppermute(v, "y", ring), P("x", "y"), P("x", "y"))(a), np.roll(host, 2, 1))
close(sm(lambda v: lax.all_to_all(v, "y", 0, 1, tiled=True), P("x", "y"), P(("x", "y")))(a), host)
index = lambda v: v * 0 + lax.axis_index("x") * 10 + lax.axis_index("y")
close(sm(index, P("x", "y"), P("x", "y"))(a), np.repeat(np.repeat([[0, 1, 2, 3], [10, 11, 12, 13]], 4, 0), 2, 1).astype(np.float32))


def rolling(v):
    body = lambda i, s: (lax.ppermute(s[0], "y", ring), s[1] + s[0] * (i + 1))
    return lax.fori_loop(0, 4, body, (v, jnp.zeros_like(v)))[1]


want = sum(np.roll(host, 2 * i, 1) * (i + 1) for i in range(4))
close(sm(rolling, P("x", "y"), P("x", "y"))(a), want)
grad = jax.grad(lambda v: sm(lambda v: lax.psum(jnp.sin(v), "y"), P("x", "y"), P("x"))(v).sum())
close(grad(a), np.cos(host))

rows = host.reshape(8, 8)
close(jax.pmap(lambda v: v / lax.psum(v, "i"), axis_name="i")(rows[:, 1:] + 1), (rows[:, 1:] + 1) / (rows[:, 1:] + 1).sum(0))
close(jax.pmap(functools.partial(lax.ppermute, axis_name="i", perm=[(i, (i + 3) % 8) for i in range(8)]), axis_name="i")(rows), np.roll(rows, 3, 0))

ordered = lambda v: io_callback(lambda v: np.asarray(v) + 1, jax.ShapeDtypeStruct(v.shape, v.dtype), v, ordered=True)
close(sm(ordered, P("x", "y"), P("x", "y"))(a), host + 1)
jax.effects_barrier()

moved = jax.device_put(a, tpu[5])
assert moved.devices() == {tpu[5]}
close(moved, host)
close(jax.device_put(moved, NamedSharding(mesh, P("y", "x"))), host)
close(jax.device_put(moved, CPU), host)
print("ok")
