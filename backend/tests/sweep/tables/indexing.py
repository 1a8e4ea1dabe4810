"""Gather, scatter, slices at computed places, sorting and searching."""

import jax
import jax.numpy as jnp
from table import Table, bools, distinct, ints, pos, rising, x

table = row = Table("indexing", tol="exact")
T = ("f32", "bf16", "i32")

row("jnp.take", x(6, 5), ints(3, low=0, high=5), axis=0, dtypes=T)
row("jnp.take", x(6, 5), ints(3, low=-9, high=9), axis=1, mode="clip")
row("jnp.take_along_axis", x(4, 6), ints(4, 2, low=0, high=5), axis=1)
row("jnp.put", x(7), ints(3, low=0, high=6), x(3), inplace=False)
row("jnp.put_along_axis", x(4, 6), ints(4, 1, low=0, high=5), x(4, 1), axis=1, inplace=False)
row("jnp.choose", ints(5, low=0, high=2), x(5), x(5), x(5), fn=lambda i, *c: jnp.choose(i, c, mode="clip"))
row("jnp.compress", x(4, 5), fn=lambda a: jnp.compress(jnp.array([True, False, True, True]), a, axis=0, size=3))
row("jnp.extract", bools(9), x(9), size=9, fill_value=0)
row("jnp.ndarray.__getitem__", x(5, 6), ints(3, low=0, high=4), fn=lambda a, i: a[i, ::2])
row("jnp.ndarray.__getitem__", x(5, 6), ints(3, low=0, high=4), ints(3, low=0, high=5), fn=lambda a, i, j: a[i, j])
for method in "set add multiply min max".split():
    row(
        f"jnp.ndarray.at[].{method}",
        x(5, 4),
        ints(3, low=0, high=4, dtype="i32"),
        x(3, 4),
        dtypes=("f32", "i32"),
        fn=lambda a, i, u, m=method: getattr(a.at[i * 0 + jnp.array([3, 0, 1])], m)(u, unique_indices=True),
        tol="sum",
    )
row("jnp.ndarray.at[].get", x(5), ints(4, low=-9, high=9), fn=lambda a, i: a.at[i].get(mode="fill", fill_value=7))
row(
    "jnp.ndarray.at[].power",
    pos(5),
    ints(2, low=0, high=4),
    fn=lambda a, i: a.at[i].power(2),
    grad="no",
    why="no rule in JAX",
    tol="ulps",
)
row(
    "jnp.ndarray.at[].apply",
    x(5),
    ints(2, low=0, high=4),
    fn=lambda a, i: a.at[i].apply(jnp.sin),
    grad="no",
    why="no rule in JAX",
    tol="ulps",
)
row("jnp.nonzero", ints(9, low=0, high=1), size=9, fill_value=-1)
row("jnp.flatnonzero", ints(9, low=0, high=1), size=9)
row("jnp.argwhere", ints(3, 3, low=0, high=1), size=9)
row("jnp.place", x(5), bools(5), x(5), inplace=False)
row(
    "jnp.ravel_multi_index",
    ints(4, low=0, high=2),
    ints(4, low=0, high=4),
    fn=lambda i, j: jnp.ravel_multi_index((i, j), (3, 5), mode="clip"),
)
row("jnp.unravel_index", ints(5, low=0, high=14), (3, 5))
row("jnp.digitize", x(9), rising(5))
row("jnp.searchsorted", rising(8), x(5), dtypes=("f32", "i32"))
row("jnp.searchsorted", rising(8), x(5), side="right", method="sort")

for name in "sort argsort".split():
    row(f"jnp.{name}", distinct(4, 7), axis=1, dtypes=T)
    row(f"jnp.{name}", distinct(7, 3), axis=0, descending=True)
row("jnp.sort_complex", x(7), dtypes=("c64",))
row("jnp.lexsort", ints(9, low=0, high=3), distinct(9), fn=lambda a, b: jnp.lexsort((b, a)))
row("jnp.partition", distinct(4, 7), 3, fn=lambda a, k: jnp.partition(a, k)[..., k])
row("jnp.argpartition", distinct(4, 7), 3, fn=lambda a, k: jnp.argpartition(a, k)[..., k])
row("jnp.top_k", distinct(3, 9), 4)
row("lax.top_k", distinct(3, 9), 4, dtypes=T)
row("lax.approx_max_k", distinct(3, 9), 4)
row("lax.approx_min_k", distinct(3, 9), 4)
row("lax.sort", distinct(4, 7), dimension=0, dtypes=("f32", "f64", "u8"))
row("lax.sort_key_val", distinct(7), x(7))
row("lax.argmax", distinct(4, 7), 1, jnp.int32)
row("lax.argmin", distinct(4, 7), 0, jnp.int32)
for name in "unique unique_values unique_counts unique_inverse unique_all".split():
    row(f"jnp.{name}", ints(9, low=0, high=4), size=6)
for name in "union1d intersect1d setxor1d".split():
    row(f"jnp.{name}", ints(6, low=0, high=9), ints(6, low=0, high=9), size=12)
row("jnp.setdiff1d", ints(6, low=0, high=9), ints(6, low=0, high=9), size=6)
row("jnp.isin", ints(9, low=0, high=9), ints(4, low=0, high=9))
row("jnp.trim_zeros", x(5), fn=lambda a: jnp.where(a > 0, a, 0))

row(
    "lax.dynamic_slice",
    x(6, 7),
    ints(low=0, high=9),
    ints(low=-3, high=4),
    fn=lambda a, i, j: jax.lax.dynamic_slice(a, (i, j), (3, 2)),
    dtypes=T,
)
row("lax.dynamic_slice_in_dim", x(6, 7), ints(low=0, high=9), 3)
row("lax.dynamic_index_in_dim", x(6, 7), ints(low=0, high=5))
row("lax.index_in_dim", x(6, 7), 2)
row("lax.index_take", x(6, 7), ints(3, low=0, high=5), fn=lambda a, i: jax.lax.index_take(a, (i,), (0,)))
row(
    "lax.dynamic_update_slice",
    x(6, 7),
    x(2, 3),
    ints(low=0, high=9),
    fn=lambda a, u, i: jax.lax.dynamic_update_slice(a, u, (i, i)),
    dtypes=T,
)
row("lax.dynamic_update_slice_in_dim", x(6, 7), x(2, 7), ints(low=0, high=9), 0)
row("lax.dynamic_update_index_in_dim", x(6, 7), x(7), ints(low=0, high=5), 0)

G = jax.lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0, 1))
row(
    "lax.gather",
    x(6, 7),
    ints(4, 2, low=-2, high=8),
    fn=lambda a, i: jax.lax.gather(a, i, G, (1, 3), mode="clip"),
    dtypes=T,
)
row("lax.gather", x(6, 7), ints(4, 2, low=-2, high=8), fn=lambda a, i: jax.lax.gather(a, i, G, (1, 3), mode="fill"))
S = jax.lax.ScatterDimensionNumbers(
    update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)
)
for name in "scatter scatter_add scatter_sub scatter_min scatter_max scatter_mul".split():
    unique = name in ("scatter", "scatter_mul")
    row(
        f"lax.{name}",
        x(6, 4),
        ints(3, 1, low=0, high=3),
        x(3, 4),
        tol="sum",
        dtypes=("f32", "i32", "bf16"),
        fn=lambda a, i, u, f=getattr(jax.lax, name), n=unique: f(
            a, i * 0 + jnp.arange(3)[:, None] if n else i, u, S, unique_indices=n
        ),
    )
row(
    "lax.scatter_apply",
    x(6, 4),
    ints(2, 1, low=0, high=5),
    fn=lambda a, i: jax.lax.scatter_apply(a, i, jnp.cos, S, update_shape=(2, 4)),
    grad="no",
    why="no rule in JAX",
    tol="ulps",
)
