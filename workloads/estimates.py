#!/usr/bin/env python3
"""Makes dumps/estimates: single operations, over sizes and types, as XLA:TPU compiles them (no TPU needed).

Needs a Python of at least 3.12 with `pip install jax==0.12.0.1 libtpu==0.0.52`. Only one process at a time may hold libtpu.

usage: estimates.py SWEEP.csv [PATTERN]      the programs of the columns gen, op, shape, dtype, those that match PATTERN
"""

import csv
import gzip
import os
import re
import sys

os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
os.environ.setdefault("TPU_ACCELERATOR_TYPE", "v6e-1")
os.environ.setdefault("TPU_WORKER_HOSTNAMES", "localhost")
os.environ.setdefault("TPU_WORKER_ID", "0")

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

jax.config.update("jax_platforms", "cpu")

TOPOLOGIES = {"v5e": "v5e:1x1", "v6e": "v6e:1x1", "v7x": "tpu7x:1x1x1", "v5p": "v5p:1x1x1"}
TYPES = {"bf16": jnp.bfloat16, "f32": jnp.float32, "s8": jnp.int8, "s32": jnp.int32, "f8e4m3fn": jnp.float8_e4m3fn}
# Larger dumps are constants for the most part.
LARGEST = 10_000

UNARY = {
    "exp": jnp.exp,
    "neg": jnp.negative,
    "erf": jax.scipy.special.erf,
    "tanh": jnp.tanh,
    "log": jnp.log,
    "rsqrt": lax.rsqrt,
    "sin": jnp.sin,
    "sigmoid": jax.nn.sigmoid,
    "gelu": jax.nn.gelu,
    "exp4": lambda x: jnp.exp(jnp.exp(jnp.exp(jnp.exp(x)))),
    "transpose": jnp.transpose,
    "transpose0213": lambda x: jnp.transpose(x, (0, 2, 1, 3)),
    "reduce_row": lambda x: jnp.sum(x, axis=1),
    "reduce_col": lambda x: jnp.sum(x, axis=0),
    "reduce_all": jnp.sum,
    "softmax": lambda x: jax.nn.softmax(x, axis=-1),
    "cumsum": lambda x: jnp.cumsum(x, axis=1),
    "argmax": lambda x: jnp.argmax(x, axis=1),
    "sort": jnp.sort,
    "topk8": lambda x: lax.top_k(x, 8),
}


def chain16(x, y):
    for _ in range(16):
        x = x * y + y
    return x


def layernorm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def rmsnorm(x, scale):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale


def attention(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k) * (q.shape[-1] ** -0.5)
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores, -1), v)


def program(op, shape, dtype):
    """A function and the shapes and types of its arguments; None for an operation that is not known."""
    n = [int(x) for x in re.findall(r"\d+", shape)]
    of = lambda *s: (s, dtype)
    index = lambda k: ((k,), jnp.int32)
    if op in UNARY:
        return UNARY[op], [of(*n)]
    if op in ("add", "add1d", "add2d_minor"):
        return jnp.add, [of(*n)] * 2
    if op == "mul":
        return jnp.multiply, [of(*n)] * 2
    if op == "chain16":
        return chain16, [of(*n)] * 2
    if op == "axpy3":
        return lambda x, y, z: x * y - z, [of(*n)] * 3
    if op == "layernorm":
        return layernorm, [of(*n), of(n[1]), of(n[1])]
    if op == "rmsnorm":
        return rmsnorm, [of(*n), of(n[1])]
    if op == "matmul":
        m, k, c = n
        result = {jnp.int8: jnp.int32, jnp.float8_e4m3fn: jnp.float32}.get(dtype, dtype)
        dot = lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=result)
        return dot, [of(m, k), of(k, c)]
    if op in ("mm_maxred", "mm_chainN"):
        m, k, c = n
        return lambda a, b: jnp.max(a @ b, axis=1), [of(m, k), of(k, c)]
    if op == "qk":
        return lambda q, k: jnp.einsum("bqd,bkd->bqk", q, k), [of(*n)] * 2
    if op == "sv":
        b, l, d = n
        return lambda s, v: jnp.einsum("bqk,bkd->bqd", s, v), [of(b, l, l), of(b, l, d)]
    if op == "attention":
        return attention, [of(*n)] * 3
    if op == "gather_embed":
        rows, width, count = n
        return lambda t, i: jnp.take(t, i, axis=0), [of(rows, width), index(count)]
    if op == "scatter_add":
        rows, width, count = n
        return lambda t, i, u: t.at[i].add(u), [of(rows, width), index(count), of(count, width)]
    if op == "conv2d":
        b, h, w, c, o, k, s = n
        dims = ("NHWC", "HWIO", "NHWC")
        conv = lambda x, f: lax.conv_general_dilated(x, f, (s, s), "SAME", dimension_numbers=dims)
        return conv, [of(b, h, w, c), of(k, k, c, o)]
    return None


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dumps", "estimates")
    pattern = re.compile(sys.argv[2] if len(sys.argv) > 2 else ".")
    rows = {(r["gen"], r["op"], r["shape"], r["dtype"]) for r in csv.DictReader(open(sys.argv[1]))}
    for chip, op, shape, dtype in sorted(rows):
        name = f"{op}_{shape}_{dtype}".replace("->", "-").replace("[", "i").replace("]", "")
        path = os.path.join(folder, chip, name + ".hlo.gz")
        if os.path.exists(path) or not pattern.search(f"{chip}/{name}"):
            continue
        made = program(op, shape, TYPES[dtype])
        if made is None:
            print(f"{chip}/{name}: not known", flush=True)
            continue
        device = topologies.get_topology_desc(platform="tpu", topology_name=TOPOLOGIES[chip]).devices[0]
        arguments = [jax.ShapeDtypeStruct(s, t, sharding=SingleDeviceSharding(device)) for s, t in made[1]]
        text = jax.jit(made[0]).lower(*arguments).compile().as_text()
        packed = gzip.compress(text.encode(), 9, mtime=0)
        if len(packed) < LARGEST:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "wb").write(packed)
        print(f"{chip}/{name}: {len(packed)} B", flush=True)


if __name__ == "__main__":
    main()
