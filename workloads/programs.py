#!/usr/bin/env python3
"""The programs of `workloads/dumps/programs`: written as StableHLO, and compiled for several chips with XLA:TPU.

usage: programs.py write [NAME...]                    NAME.stablehlo.mlir.gz, on JAX's CPU backend
       programs.py compile CHIP,... [NAME...]         NAME.CHIP.hlo.txt.gz, of all that have StableHLO and no dump of that chip yet
       programs.py take FILE.stablehlo.mlir CHIP,...  dumps of somebody else's StableHLO, for chips of which it has none

A developer's tool: needs what `aot.py` needs. A dump's first line says what `memory_analysis()` says, in bytes.
"""
import gzip
import json
import os
import sys
import tempfile

import aot
import jax

jax.config.update("jax_platforms", "cpu")
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from models import BF16, F32, I32, MODELS, SMALLER, batchnorm, layernorm, spec  # noqa: E402
from operations import OPERATIONS  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dumps", "programs")
I8 = jnp.int8


def summed(f):
    """The gradient of the sum of what `f` gives, for all its arguments, and that sum."""
    def of(*arguments):
        total = lambda *a: jnp.sum(f(*a).astype(F32))
        return jax.value_and_grad(total, argnums=tuple(range(len(arguments))))(*arguments)
    return of


def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k).astype(F32) * q.shape[-1] ** -0.5
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1).astype(q.dtype), v)


def attention_of_three(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k).astype(F32) * q.shape[-1] ** -0.5
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores, -1).astype(q.dtype), v)


def mlp(x, up, down):
    return jax.nn.gelu(x @ up) @ down


def cross_entropy(x, table, targets):
    logits = (x @ table.T).astype(F32)
    return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, targets[:, None], 1)[:, 0])


def embedding_loss(table, tokens, targets):
    return jax.value_and_grad(lambda t: cross_entropy(t[tokens], t, targets))(table)


def updates(x):
    """A row in each of 64 iterations, in place."""
    def body(i, x):
        row = lax.dynamic_slice(x, (i, 0), (1, x.shape[1]))
        return lax.dynamic_update_slice(x, jnp.tanh(row) + 1, (i + 1, 0))
    return lax.fori_loop(0, 64, body, x)


def decode(cache_k, cache_v, q, k, v, position):
    """One token beside a cache that is donated."""
    cache_k = lax.dynamic_update_slice(cache_k, k, (0, 0, position, 0))
    cache_v = lax.dynamic_update_slice(cache_v, v, (0, 0, position, 0))
    seen = jnp.arange(cache_k.shape[2]) <= position
    scores = jnp.where(seen, jnp.einsum("bhqd,bhkd->bhqk", q, cache_k).astype(F32), -1e30)
    out = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1).astype(q.dtype), cache_v)
    return out, cache_k, cache_v


def dropout(key, x):
    keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.9, x.shape)
    return jnp.where(keep, x / 0.9, 0).astype(x.dtype)


def pieces(x, y):
    a = jnp.concatenate([x[:, :1024], y, x[:, 1024:]], 1)
    return jnp.pad(a, ((8, 8), (0, 128))), a[::2], jnp.concatenate([x, x[:512]], 0)


def transposes(x, y):
    return x.T, jnp.transpose(y, (0, 2, 1, 3)) + 1, jnp.transpose(y, (3, 0, 1, 2))


def one_hot(indices, table):
    return jax.nn.one_hot(indices, table.shape[0], dtype=table.dtype) @ table


def quantized(x, w, scale):
    y = lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=I32)
    return (y.astype(F32) * scale).astype(BF16)


def scan_of_layers(x, w):
    return lax.scan(lambda x, w: (jax.nn.relu(x @ w), None), x, w)[0]


def heads(width, of=spec):
    return [of((4, 16, 2048, width))] * 3


# Name, function, arguments, those that are donated.
SMALL = [
    ("mlp_gelu", mlp, [spec((4096, 2048)), spec((2048, 8192)), spec((8192, 2048))], ()),
    ("mlp_gelu_grad", summed(mlp), [spec((4096, 2048)), spec((2048, 8192)), spec((8192, 2048))], ()),
    ("mlp_f32_grad", summed(mlp), [spec((1024, 1024), F32), spec((1024, 4096), F32), spec((4096, 1024), F32)], ()),
    ("attention_64", attention, heads(64), ()),
    ("attention_128", attention, heads(128), ()),
    ("attention_three_128", attention_of_three, [spec((32, 2048, 128))] * 3, ()),
    ("attention_64_grad", summed(attention), [spec((4, 8, 1024, 64))] * 3, ()),
    ("attention_128_grad", summed(attention), [spec((4, 8, 1024, 128))] * 3, ()),
    ("layernorm_grad", lambda *a: (layernorm(*a), summed(layernorm)(*a)), [spec((8192, 4096)), spec((4096,), F32), spec((4096,), F32)], ()),
    ("batchnorm_grad", lambda *a: (batchnorm(*a), summed(batchnorm)(*a)), [spec((64, 28, 28, 256)), spec((256,), F32), spec((256,), F32)], ()),
    ("embedding_loss", embedding_loss, [spec((32_000, 1024)), spec((2048,), I32), spec((2048,), I32)], ()),
    ("embedding_loss_f32", embedding_loss, [spec((32_000, 512), F32), spec((1024,), I32), spec((1024,), I32)], ()),
    ("updates_in_place", updates, [spec((4096, 2048), F32)], (0,)),
    ("updates_not_donated", updates, [spec((4096, 2048), F32)], ()),
    ("decode_cache", decode, [spec((16, 8, 2048, 128))] * 2 + [spec((16, 8, 1, 128))] * 3 + [spec((), I32)], (0, 1)),
    ("scan_of_layers", scan_of_layers, [spec((1024, 2048)), spec((8, 2048, 2048))], ()),
    ("cumsum", lambda x: jnp.cumsum(x, 1), [spec((1024, 4096), F32)], ()),
    ("sort_pairs", lambda k, v: lax.sort((k, v), num_keys=1), [spec((64, 4096), F32), spec((64, 4096), I32)], ()),
    ("top_k", lambda x: lax.top_k(x, 8), [spec((2048, 1024), F32)], ()),
    ("one_hot_product", one_hot, [spec((4096,), I32), spec((1024, 2048))], ()),
    ("transposes", transposes, [spec((4096, 2048), F32), spec((8, 512, 16, 128))], ()),
    ("pieces", pieces, [spec((2048, 2048)), spec((2048, 512))], ()),
    ("int8_product", quantized, [spec((4096, 4096), I8), spec((4096, 4096), I8), spec((4096,), F32)], ()),
    ("reduce_columns", lambda x: (x.astype(F32).sum(0), jnp.square(x.astype(F32)).max(0)), [spec((8192, 8192))], ()),
    ("reduce_rows", lambda x: (x.sum(1), x.max(1)), [spec((8192, 8192), F32)], ()),
    ("argmax", lambda x: jnp.argmax(x, -1), [spec((4096, 32_000))], ()),
    ("dropout", dropout, [spec((2,), jnp.uint32), spec((4096, 4096))], ()),
    ("softmax", lambda x: jax.nn.softmax(x, -1), [spec((4096, 32_000), F32)], ()),
    ("gather_rows", lambda t, i: t[i], [spec((100_000, 128), F32), spec((16_384,), I32)], ()),
    ("scatter_rows", lambda t, i, u: t.at[i].add(u), [spec((100_000, 128), F32), spec((8192,), I32), spec((8192, 128), F32)], (0,)),
]


def lowered(name, function, arguments, donated):
    def named(*a):
        return function(*a)

    named.__name__ = name
    return jax.jit(named, donate_argnums=donated, keep_unused=True).lower(*arguments).as_text()


def programs():
    for name, function, arguments, donated in SMALL + OPERATIONS:
        yield name, lambda f=function, a=arguments, d=donated: (f, a, d)
    for model in SMALLER + MODELS:
        yield model.__name__, model


def path(name, kind):
    return os.path.join(FOLDER, f"{name}.{kind}.gz")


def write(wanted):
    os.makedirs(FOLDER, exist_ok=True)
    for name, make in programs():
        if not wanted or name in wanted:
            data = lowered(name, *make()).encode()
            with open(path(name, "stablehlo.mlir"), "wb") as file:
                file.write(gzip.compress(data, 9, mtime=0))
            print(f"ok {name} {len(data)}", flush=True)


def compile(sources, chips):
    """`sources`: name and StableHLO. Small programs come first, so that an interrupted run has most of them."""
    with tempfile.TemporaryDirectory() as scratch:
        jobs = []
        for name, text in sources:
            stablehlo = os.path.join(scratch, name)
            with open(stablehlo, "w") as file:
                file.write(text)
            for chip in chips:
                output = path(name, f"{chip}.hlo.txt")
                if not os.path.exists(output):
                    jobs.append({"stablehlo": stablehlo, "chip": chip, "output": output, "memory": True})
        return aot.main(jobs)


def main(command, *arguments):
    if command == "write":
        return write(arguments)
    if command == "compile":
        names = [name for name, _ in programs()]
        found = [(n, path(n, "stablehlo.mlir")) for n in names if not arguments[1:] or n in arguments[1:]]
        sources = [(n, gzip.open(p, "rt").read()) for n, p in found if os.path.exists(p)]
        return compile(sources, arguments[0].split(","))
    if command == "take":
        file, chips = arguments
        return compile([(os.path.basename(file).removesuffix(".stablehlo.mlir"), open(file).read())], chips.split(","))
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
