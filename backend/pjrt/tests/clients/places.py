"""Devices as on real machines, memories beside them, machines that are not there.

env: TPUSIM_NUMERICS=ieee TPUSIM_TOPOLOGY=v5e:2x2
"""

import jax
import jax.numpy as jnp
import numpy as np
from check import close, devices
from jax.experimental import mesh_utils, topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

tpu = devices(4)
assert jax.default_backend() == "tpu" and tpu[0].platform == "tpu"
assert {d.device_kind for d in tpu} == {"TPU v5 lite"}
assert [tuple(d.coords) for d in tpu] == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
assert all(d.core_on_chip == 0 and d.process_index == 0 and d.slice_index == 0 for d in tpu)
assert str(tpu[1]) == "TPU_1(process=0,(1,0,0,0))", str(tpu[1])
assert repr(tpu[1]) == "TpuDevice(id=1, process_index=0, coords=(1,0,0), core_on_chip=0)", repr(tpu[1])
assert sorted(m.kind for m in tpu[0].addressable_memories()) == ["device", "pinned_host", "unpinned_host"]
assert tpu[0].default_memory().kind == "device"
stats = tpu[0].memory_stats()
assert stats["bytes_limit"] > 15 << 30 and stats["bytes_in_use"] >= 0, stats

before = tpu[1].memory_stats()["bytes_in_use"]
x = jax.device_put(np.ones((1024, 1024), np.float32), tpu[1])
assert tpu[1].memory_stats()["bytes_in_use"] == before + (4 << 20)
del x
assert tpu[1].memory_stats()["bytes_in_use"] == before

host = SingleDeviceSharding(tpu[0], memory_kind="pinned_host")
there = jax.device_put(jnp.arange(8.0), host)
assert there.sharding.memory_kind == "pinned_host"
back = jax.device_put(there, SingleDeviceSharding(tpu[0], memory_kind="device"))
close(back, np.arange(8, dtype=np.float32))
f = jax.jit(lambda x: x * 2, in_shardings=host, out_shardings=SingleDeviceSharding(tpu[0], memory_kind="device"))
g = jax.jit(lambda x: jax.device_put(jax.device_put(x, jax.memory.Space.Device) * 2, jax.memory.Space.Host))
assert g(there).sharding.memory_kind == "pinned_host"
close(g(there), np.arange(8, dtype=np.float32) * 2)

mesh = mesh_utils.create_device_mesh((2, 2))
assert mesh.shape == (2, 2) and {d.id for d in mesh.flat} == {0, 1, 2, 3}

topology = topologies.get_topology_desc(platform="tpu", topology_name="v5e:4x4")
assert len(topology.devices) == 16 and topology.devices[0].device_kind == "TPU v5 lite"
far = Mesh(np.array(topology.devices).reshape(4, 4), ("x", "y"))
shape = jax.ShapeDtypeStruct((16, 16), jnp.float32, sharding=NamedSharding(far, P("x", "y")))
compiled = jax.jit(lambda a: jnp.sin(a) @ a).lower(shape).compile()
assert compiled.cost_analysis()["flops"] > 0
print("ok")
