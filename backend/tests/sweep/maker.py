"""Exports the functions and models of the sweep, and says what they give on JAX's CPU backend.

usage: maker.py SHARD SHARDS PART [WORD…]

Of all cases, every SHARDS-th from SHARD on is written to stdout: a line of JSON, {"total": cases},
then for each a line of JSON, {"name", "family", "direction", "tolerance", "artifact": bytes,
"inputs": [{"dtype", "shape", "bytes"}], "outputs": likewise}, then the artifact (what
`jax.export.Exported.serialize` gives) and the bytes of inputs and of outputs (row-major,
little-endian). A case that JAX itself cannot do is {"name", …, "error"}. PART is "all" or "ci"; WORDs
keep the cases whose names have one of them.
"""

import importlib
import json
import os
import pathlib
import sys
import zlib

# Roundings are kept, as the specification has them. Each of the programs runs once: less
# optimization, and no threads for code generation.
os.environ["XLA_FLAGS"] = " ".join(
    [
        "--xla_allow_excess_precision=false",
        "--xla_backend_optimization_level=0",
        "--xla_llvm_disable_expensive_passes=true",
        "--xla_cpu_parallel_codegen_split_count=1",
    ]
)
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax import export

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import table

# Calls that JAX promises nothing about, and would not export.
UNSTABLE = [
    export.DisabledSafetyCheck.custom_call(f"lapack_{t}{routine}_ffi")
    for routine in ("geqp3", "ormqr", "unmqr", "syrk", "gtsv", "trttp", "sytrd", "hetrd", "gehrd", "gees")
    for t in "sdcz"
]


def leaves(fn, kwargs):
    """Results in a tuple: named tuples need not be registered to be exported."""

    def flat(*args):
        return tuple(jax.tree.leaves(fn(*args, **kwargs)))

    return flat


def is_float(a):
    return jax.numpy.issubdtype(a.dtype, jax.numpy.inexact)


def gradient(flat, args, outputs, wanted):
    """The cotangents of floating-point inputs, and the cotangents of results it takes before the
    inputs; nothing where there are none."""
    of = [i for i, a in enumerate(args) if is_float(a) and (wanted == "yes" or i in wanted)]
    results = [i for i, o in enumerate(outputs) if is_float(o)]
    if not of or not results:
        return None
    rng = np.random.default_rng(7)

    def draw(o):
        a = rng.uniform(-1, 1, o.shape)
        return np.asarray(a + 1j * rng.uniform(-1, 1, o.shape) if o.dtype.kind == "c" else a).astype(o.dtype)

    cotangents = [draw(outputs[i]) for i in results]

    def pullback(*all):
        bars, inputs = all[: len(cotangents)], list(all[len(cotangents) :])

        def some(*chosen):
            for i, a in zip(of, chosen):
                inputs[i] = a
            out = flat(*inputs)
            return tuple(out[i] for i in results)

        return jax.vjp(some, *[inputs[i] for i in of])[1](tuple(bars))

    return pullback, cotangents + args


class Case:
    def __init__(self, row, dtype, direction, name):
        self.row, self.dtype, self.direction, self.name = row, dtype, direction, name

    def make(self):
        row = self.row
        arrays = [a for a in row.args if isinstance(a, table.Array)]
        rng = np.random.default_rng(zlib.crc32(f"{row.name} {self.dtype}".encode()))
        args = [a.draw(rng, self.dtype) for a in arrays]
        wide = any(a.dtype.itemsize == 8 and a.dtype != np.complex64 or a.dtype == np.complex128 for a in args)

        # A model says itself what its gradient is.
        given = self.direction == "gradient" and row.gradient
        call = row.gradient if given else row.fn

        def fn(*inputs, **kwargs):
            it = iter(inputs)
            return call(*[next(it) if isinstance(a, table.Array) else a for a in row.args], **kwargs)

        with jax.enable_x64(wide):
            flat = leaves(fn, row.kwargs)
            if self.direction == "gradient" and not given:
                outputs = jax.eval_shape(flat, *args)
                made = gradient(flat, args, outputs, row.grad)
                if made is None:
                    return None
                flat, args = made
            jitted = jax.jit(flat)
            exported = export.export(jitted, disabled_checks=UNSTABLE)(*args)
            artifact = exported.serialize()
            results = [np.asarray(r) for r in jitted(*args)]
        return artifact, [args[i] for i in exported.module_kept_var_idx], results


def cases(part, words):
    rows = []
    for folder in ("tables", "models"):
        for path in sorted((HERE / folder).glob("*.py")):
            rows += importlib.import_module(f"{folder}.{path.stem}").table.rows
    seen, found = {}, []
    for row in rows:
        for dtype in row.dtypes:
            name = f"{row.name} {dtype}"
            seen[name] = seen.get(name, 0) + 1
            name += f" #{seen[name]}" if seen[name] > 1 else ""
            found.append(Case(row, dtype, "forward", name))
            # One gradient a row, and one in f64 where that is among its types.
            if row.grad != "no" and (dtype == row.dtypes[0] or dtype == "f64"):
                found.append(Case(row, dtype, "gradient", name))
    if part == "ci":
        found = [
            c for c in found if c.dtype == c.row.dtypes[0] and (c.direction == "forward" or c.row.family == "models")
        ]
    if words:
        found = [c for c in found if any(w in f"{c.row.family}: {c.name} {c.direction}" for w in words)]
    return found


def spec(a):
    return {"dtype": str(a.dtype), "shape": list(a.shape), "bytes": a.nbytes}


def main():
    shard, shards, part, words = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # What libraries print is not for our reader.
    mine = cases(part, words)[shard::shards]
    out.write(json.dumps({"total": len(mine)}).encode() + b"\n")
    for case in mine:
        row = case.row
        head = {
            "name": case.name,
            "function": row.name if row.family == "models" else row.name.split(" ")[0],
            "family": row.family,
            "direction": case.direction,
            "tolerance": row.grad_tol if case.direction == "gradient" else row.tol,
        }
        inputs, outputs, artifact = [], [], b""
        try:
            made = case.make()
            if made:
                artifact, inputs, outputs = made
            else:
                head["none"] = True
        except Exception as error:  # Whatever it is, the test shows it.
            head["error"] = f"{type(error).__name__}: {error}".replace("\n", " ")[:2000]
        head |= {"artifact": len(artifact), "inputs": [*map(spec, inputs)], "outputs": [*map(spec, outputs)]}
        out.write(json.dumps(head).encode() + b"\n" + artifact)
        for a in [*inputs, *outputs]:
            out.write(np.ascontiguousarray(a).tobytes())
        out.flush()


main()
