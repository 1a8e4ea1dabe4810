"""Runs functions on simulated TPUs and on JAX's CPU backend, and compares."""

import os

import jax
import numpy as np

TPU = jax.devices("tpu")
CPU = jax.devices("cpu")[0]


def close(got, want, tolerance=1e-5, what=""):
    """Both are trees of arrays of the same shapes and types, equal within `tolerance` of the largest magnitude."""
    got, tree = jax.tree.flatten(got)
    want, other = jax.tree.flatten(want)
    assert tree == other, f"{what}: {tree} and {other}"
    for i, (g, w) in enumerate(zip(got, want)):
        g, w = np.asarray(g), np.asarray(w)
        assert g.shape == w.shape and g.dtype == w.dtype, f"{what} {i}: {g.shape} {g.dtype}, {w.shape} {w.dtype}"
        if g.dtype.kind in "biu" or g.dtype.kind == "V" and g.dtype.itemsize == 0:
            assert (g == w).all(), f"{what} {i}: {g} and {w}"
            continue
        wide = np.complex128 if g.dtype.kind == "c" else np.float64
        g, w = g.astype(wide), w.astype(wide)
        nan = np.isnan(w)
        assert (np.isnan(g) == nan).all(), f"{what} {i}: NaN at other places"
        same = (g == w) | nan
        scale = np.abs(w[np.isfinite(w)]).max(initial=0.0)
        with np.errstate(invalid="ignore"):
            off = np.abs(np.where(same, 0, g - w)).max(initial=0.0)
        assert off <= tolerance * max(scale, 1e-30), f"{what} {i}: off by {off}, scale {scale}"


def same(f, *args, tolerance=1e-5, **kwargs):
    """`f` jitted on the first TPU and on the CPU gives the same; returns the TPU's."""
    on = lambda d: jax.tree.map(lambda x: jax.device_put(x, d), args)
    got = jax.jit(f, **kwargs)(*on(TPU[0]))
    for leaf in jax.tree.leaves(got):
        assert leaf.devices() == {TPU[0]}, leaf.devices()
    want = jax.jit(f, **kwargs)(*on(CPU))
    close(got, want, tolerance, getattr(f, "__name__", "?"))
    return got


def raises(what, f, *args):
    """`f` fails, and its message holds each of `what`; returns the message."""
    try:
        jax.block_until_ready(f(*args))
    except Exception as e:
        text = f"{type(e).__name__}: {e}"
        for part in [what] if isinstance(what, str) else what:
            assert part in text, f"{part!r} is not in: {text}"
        return text
    raise AssertionError(f"no error; expected {what}")


def devices(n):
    assert len(TPU) == n, f"{os.environ.get('TPUSIM_TOPOLOGY')}: {len(TPU)} devices"
    return TPU
