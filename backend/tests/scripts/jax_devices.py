"""Writes programs for eight devices into the folder that is named: NAME.mlir (StableHLO, global shapes),
NAME.before.hlo (the same as HLO), NAME.hlo (partitioned by XLA:CPU), and NAME.npz with global inputs and outputs
(in0, out0, ...) and those of each device (device0/in0, ...), as JAX computes them on its CPU backend."""

import os
import sys

folder = sys.argv[1]
dumps = os.path.join(folder, "dumps")
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count=8 --xla_dump_to={dumps} --xla_dump_hlo_as_text"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

jax.config.update("jax_platforms", "cpu")
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
line = jax.make_mesh((8,), ("i",), axis_types=(AxisType.Auto,))
backwards = jax.sharding.Mesh(np.array(jax.devices()[::-1]).reshape(2, 4), ("x", "y"))
rng = np.random.default_rng(0)


def f32(*shape):
    return rng.standard_normal(shape, dtype=np.float32)


def save(name, jitted, *args):
    lowered = jitted.lower(*args)
    old = set(os.listdir(dumps)) if os.path.isdir(dumps) else set()
    compiled = lowered.compile()
    [dump] = [n for n in os.listdir(dumps) if n not in old and n.endswith(".before_optimizations.txt")]
    base = os.path.join(folder, name)
    with open(base + ".mlir", "w") as out:
        out.write(lowered.as_text())
    os.rename(os.path.join(dumps, dump), base + ".before.hlo")
    with open(base + ".hlo", "w") as out:
        out.write(compiled.as_text())
    shardings = jax.tree.leaves(compiled.input_shardings[0])
    placed = [jax.device_put(x, s) for x, s in zip(args, shardings, strict=True)]
    outputs = jax.tree.leaves(compiled(*placed))
    # Partitions count along the mesh, whatever devices are in it.
    partition = {d.id: i for i, d in enumerate(compiled.runtime_executable().local_devices())}
    arrays = {}
    for kind, values in (("in", placed), ("out", outputs)):
        for i, value in enumerate(values):
            arrays[f"{kind}{i}"] = np.asarray(value)
            for shard in value.addressable_shards:
                arrays[f"device{partition[shard.device.id]}/{kind}{i}"] = np.asarray(shard.data)
    np.savez(base + ".npz", **arrays)


def mapped(name, f, ins, outs, *args, mesh=line, **options):
    save(name, jax.jit(jax.shard_map(f, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False, **options)), *args)


I = P("i")
right = [(d, (d + 1) % 8) for d in range(8)]
mapped("psum", lambda a: lax.psum(a, "i"), I, P(), f32(16, 3))
mapped("psum_y", lambda a: lax.psum(a, "y"), P("x", "y"), P("x"), f32(8, 4), mesh=mesh)
mapped("psum_xy", lambda a, b: (lax.psum(a, ("x", "y")), lax.pmax(b, "x")), (P("x", "y"), P("y")), (P(), P("y")),
       f32(8, 4), f32(4, 5), mesh=mesh)
mapped("psum_groups", lambda a: lax.psum(a, "i", axis_index_groups=[[0, 3, 5, 6], [1, 2, 4, 7]]), I, I, f32(16))
mapped("pmean_min", lambda a: (lax.pmean(a, "i"), lax.pmin(a, "i")), I, P(), f32(8, 6))
mapped("all_gather", lambda a: lax.all_gather(a, "i"), I, P(), f32(8, 2))
mapped("all_gather_tiled", lambda a: lax.all_gather(a, "y", axis=1, tiled=True), P("x", "y"), P("x"), f32(8, 6),
       mesh=mesh)
mapped("ppermute", lambda a: lax.ppermute(a, "i", right), I, I, f32(8, 4))
mapped("ppermute_some", lambda a: lax.ppermute(a, "x", [(0, 2), (3, 1)]), P("x", "y"), P("x", "y"), f32(8, 4),
       mesh=mesh)
mapped("psum_scatter", lambda a: lax.psum_scatter(a, "i", tiled=True), P(None, "i"), I, f32(16, 8))
mapped("psum_scatter_y", lambda a: lax.psum_scatter(a, "y", scatter_dimension=1)[:, None], P("x"), P("x", "y"),
       f32(8, 2), mesh=mesh)
mapped("all_to_all", lambda a: lax.all_to_all(a, "i", 1, 0, tiled=True), I, P(None, "i"), f32(8, 16))
mapped("all_to_all_x", lambda a: lax.all_to_all(a, "x", 0, 2), P("x", "y"), P("x", "y"), f32(16, 4, 3), mesh=mesh)
mapped("axis_index", lambda a: a + 10 * lax.axis_index("x") + lax.axis_index("y"), P("x", "y"), P("x", "y"),
       np.arange(32, dtype=np.int32).reshape(8, 4), mesh=mesh)
mapped("broadcast", lambda a: jnp.where(lax.axis_index("i") % 2 == 0, lax.all_gather(a, "i")[3], a), I, I, f32(8, 2))
mapped("fori_loop", lambda a: lax.fori_loop(0, 5, lambda k, x: lax.ppermute(x, "i", right) * 0.5 + lax.pmean(x, "i"), a),
       I, I, f32(8, 4))


def ring_matmul(a, b):
    """Each device multiplies with a block that goes round."""

    def step(carry, k):
        sum, block = carry
        at = (lax.axis_index("i") - k) % 8
        piece = lax.dynamic_slice_in_dim(a, at * 2, 2, axis=1)
        return (sum + piece @ block, lax.ppermute(block, "i", right)), jnp.max(block)

    (sum, _), largest = lax.scan(step, (jnp.zeros((a.shape[0], b.shape[1]), a.dtype), b), jnp.arange(8))
    return sum, largest[None]


mapped("scan_ring", ring_matmul, (I, I), (I, I), f32(8, 16), f32(16, 3))
mapped("cond", lambda a: lax.cond(lax.psum(a[0, 0], "i") > 0, lambda x: lax.psum(x, "i"), lambda x: lax.pmax(x, "i"), a),
       I, P(), f32(8, 2))
mapped("while_loop", lambda a: lax.while_loop(lambda x: lax.pmax(jnp.max(jnp.abs(x)), "i") > 0.1, lambda x: x * 0.5, a),
       I, I, f32(8, 2))
mapped("auto_axis", lambda a, b: lax.psum(jnp.tanh(a @ b), "x"), (P("x"), P()), P(), f32(8, 4), f32(4, 6), mesh=mesh,
       axis_names={"x"})
mapped("order_of_devices", lambda a: lax.psum_scatter(a, "y", scatter_dimension=1, tiled=True) + lax.axis_index("x"),
       P("x"), P("x", "y"), f32(4, 8), mesh=backwards)


def around(a, b):
    """Global parts around a manual region."""
    c = jnp.sin(a) @ b
    d = jax.shard_map(lambda x: lax.psum(x * x, "y"), mesh=mesh, in_specs=P("x", "y"), out_specs=P("x"),
                      check_vma=False)(c)
    return jnp.sum(d, axis=0), c


save("around", jax.jit(around, in_shardings=(NamedSharding(mesh, P("x")), NamedSharding(mesh, P(None, "y")))),
     f32(8, 4), f32(4, 6))


def sharded(name, f, ins, outs, *args, mesh=mesh):
    on = lambda s: jax.tree.map(lambda p: NamedSharding(mesh, p), s, is_leaf=lambda p: isinstance(p, P))
    save(name, jax.jit(f, in_shardings=on(ins), out_shardings=on(outs)), *args)


sharded("matmul_contracted", lambda a, b: a @ b, (P(None, "x"), P("x", None)), P(), f32(6, 8), f32(8, 5))
sharded("matmul_scattered", lambda a, b: a @ b, (P("y", "x"), P("x", None)), P("x", "y"), f32(8, 8), f32(8, 4))
sharded("mlp", lambda x, w, v: jax.nn.relu(x @ w) @ v, (P("x", None), P(None, "y"), P("y", None)), P("x", None),
        f32(8, 6), f32(6, 10), f32(10, 6))
sharded("softmax", lambda x: jax.nn.softmax(x, axis=1), P("x", "y"), P("x", "y"), f32(8, 10))
sharded("transpose", lambda x: x.T + 1, P("x", "y"), P("x", "y"), f32(8, 8))
sharded("cumsum", lambda x: jnp.cumsum(x, axis=0), P("x", "y"), P("x", "y"), f32(8, 4))
sharded("backwards", lambda a, b: (a @ b, jnp.sum(a)), (P("x", "y"), P("y", "x")), (P("y"), P()), f32(4, 8), f32(8, 6),
        mesh=backwards)
sharded("grad", jax.grad(lambda w, x: jnp.mean(jnp.tanh(x @ w) ** 2)), (P(None, "y"), P("x", None)), P("x", "y"),
        f32(4, 6), f32(8, 4))
