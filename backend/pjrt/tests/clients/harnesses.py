"""A sample of JAX's own harnesses, one use of one primitive each, and of its table of elementwise operations, from the
sources of the installed JAX (`xtask/jax_sources.py` brings them): on the simulated TPU as on the CPU.

env: JAX_ENABLE_X64=1
needs: TPUSIM_JAX_SOURCES
TPUSIM_HARNESSES=K/N takes every N-th from the K-th on (default 0/12); all of them: 0/1.
"""

import collections
import os
import time
import zlib

import jax
import jax._src
import numpy as np
from check import CPU, TPU, close

jax._src.__path__.append(os.environ["TPUSIM_JAX_SOURCES"])
from jax._src import test_util as jtu  # noqa: E402
from jax._src.internal_test_util import lax_test_util, test_harnesses  # noqa: E402

# Cases that fail, with the reason. A case that is here and passes is an error too.
EXCEPTIONS = {}

# What a result may be off by, in parts of its largest magnitude.
TOLERANCE = {"bfloat16": 2e-2, "float16": 4e-3, "float32": 2e-4, "complex64": 2e-4, "float64": 1e-9, "complex128": 1e-9}
# Of products in one pass of bfloat16, which a TPU computes where a case asks for the default.
ONE_PASS = 2e-2
# Their vectors have free signs, or phases.
FREE_SIGNS = ("eigh_", "svd_", "eig_")


def defined(name, i, x):
    """Of the `i`-th result, what the operation defines."""
    if name.startswith(FREE_SIGNS):
        return np.abs(x)
    if name.startswith("cholesky_"):
        return np.tril(x)
    if "isstable_False" in name and i >= int(name.rsplit("num_keys_", 1)[1]):
        return x[:0]
    return x


def cases():
    for h in test_harnesses.all_harnesses:
        if h.filter("tpu") and h.filter("cpu"):
            yield h.fullname, h.dyn_fun, h.dyn_args_maker
    for record in lax_test_util.lax_ops():
        for dtype in record.dtypes:
            for shapes in lax_test_util.compatible_shapes[-1:]:
                op = getattr(jax.lax, record.op)
                shape = shapes[0]

                def args(rng, record=record, shape=shape, dtype=dtype):
                    make = record.rng_factory(rng)
                    return [make(shape, dtype) for _ in range(record.nargs)]

                yield f"lax_{record.op}_{np.dtype(dtype).name}", op, args


def on(device, fun, args):
    with jax.default_matmul_precision("highest"):
        return jax.jit(fun)(*[jax.device_put(a, device) for a in args])


def run(name, fun, make):
    args = make(np.random.RandomState(zlib.crc32(name.encode())))
    want = jax.tree.leaves(on(CPU, fun, args))
    got = jax.tree.leaves(on(TPU[0], fun, args))
    for i, (g, w) in enumerate(zip(got, want, strict=True)):
        if jax.dtypes.issubdtype(w.dtype, jax.dtypes.prng_key):
            g, w = jax.random.key_data(g), jax.random.key_data(w)
        g, w = np.asarray(g), np.asarray(w)
        tolerance = ONE_PASS if "precision_DEFAULT" in name else TOLERANCE.get(w.dtype.name, 0.1)
        close(defined(name, i, g), defined(name, i, w), tolerance, f"result {i}")


def main():
    k, n = map(int, os.environ.get("TPUSIM_HARNESSES", "0/12").split("/"))
    counts, wrong = collections.Counter(), []
    for i, (name, fun, make) in enumerate(cases()):
        if i % n != k:
            continue
        start = time.time()
        try:
            run(name, fun, make)
            verdict = "passed"
        except Exception as error:
            verdict = "failed"
            print(f"{name}: {type(error).__name__}: {str(error)[:1000]}", flush=True)
        if time.time() - start > 10:
            print(f"{name}: {time.time() - start:.0f} s", flush=True)
        counts[verdict] += 1
        if (verdict == "failed") != (name in EXCEPTIONS):
            wrong.append(name)
    print(dict(counts))
    assert not wrong, f"not as expected: {wrong}"
    assert counts["passed"] > 0
    print("ok")


main()
