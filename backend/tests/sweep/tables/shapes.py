"""Data movement of jax.numpy and jax.lax: every value comes out as it went in."""

import jax
import jax.numpy as jnp
from table import Table, ints, x

table = row = Table("shapes", tol="exact", grad_tol="sum")
T = ("f32", "bf16", "i32", "c64")

row("jnp.reshape", x(3, 4), (2, 6), dtypes=T)
for name in "ravel transpose matrix_transpose flipud fliplr".split():
    row(f"jnp.{name}", x(3, 4), dtypes=T)
row("jnp.permute_dims", x(2, 3, 4), (2, 0, 1))
row("jnp.moveaxis", x(2, 3, 4), 0, -1)
row("jnp.rollaxis", x(2, 3, 4), 2)
row("jnp.swapaxes", x(2, 3, 4), 0, 2)
row("jnp.squeeze", x(3, 1, 4))
row("jnp.expand_dims", x(3, 4), 1)
row("jnp.flip", x(3, 4), axis=1, dtypes=T)
row("jnp.rot90", x(3, 4))
row("jnp.roll", x(3, 4), 2, axis=1, dtypes=T)
row("jnp.tile", x(3, 4), (2, 1, 2))
row("jnp.repeat", x(3, 4), 2, axis=1)
row("jnp.repeat", x(3), jnp.array([1, 0, 3]), total_repeat_length=4)
row("jnp.resize", x(3, 4), (5, 3))
row("jnp.broadcast_to", x(3, 1), (2, 3, 4), dtypes=T)
row("jnp.broadcast_arrays", x(3, 1), x(4))
for name in "concatenate stack hstack vstack dstack column_stack".split():
    row(f"jnp.{name}", x(3, 4), x(3, 4), fn=lambda *a, f=getattr(jnp, name): f(a), dtypes=T)
row("jnp.concat", x(3, 4), x(2, 4), fn=lambda *a: jnp.concat(a))
row("jnp.block", x(2, 2), x(2, 2), fn=lambda a, b: jnp.block([[a, b], [b, a]]))
row("jnp.append", x(3, 4), x(2, 4), axis=0)
for name in "split array_split hsplit".split():
    row(f"jnp.{name}", x(4, 6), 3, **({} if name == "hsplit" else {"axis": 1}))
row("jnp.vsplit", x(4, 6), 2)
row("jnp.dsplit", x(2, 3, 4), 2)
row("jnp.unstack", x(3, 4))
for mode in "constant edge reflect symmetric wrap linear_ramp mean maximum".split():
    row("jnp.pad", x(3, 4), ((1, 2), (2, 1)), mode=mode, tol="sum")
for name in "tril triu diag diagonal".split():
    row(f"jnp.{name}", x(4, 5), 1, dtypes=T)
row("jnp.diagflat", x(4))
row("jnp.trace", x(4, 4), tol="sum")
row("jnp.fill_diagonal", x(4, 4), 7.0, inplace=False)
for name in "atleast_1d atleast_2d atleast_3d".split():
    row(f"jnp.{name}", x(4))
row("jnp.meshgrid", x(3), x(4))
row("jnp.vander", x(4), 4, tol="sum")
row("jnp.insert", x(5), 2, 9.0)
row("jnp.delete", x(5), 2)
row("jnp.copy", x(5))
for name in "zeros_like ones_like empty_like".split():
    row(f"jnp.{name}", x(3, 4))
row("jnp.full_like", x(3, 4), 2.5)
row("jnp.apply_along_axis", fn=lambda a: jnp.apply_along_axis(lambda v: v[::-1] * 2, 0, a), *[x(3, 4)])
row("jnp.vectorize", fn=lambda a: jnp.vectorize(lambda v: v + v[0], signature="(n)->(n)")(a), *[x(3, 4)], tol="ulps")

# Arrays from nothing.
row("jnp.arange", 1.0, 3.0, 0.25, tol="ulps")
row("jnp.linspace", x(3), x(3), 7, tol="sum")
row("jnp.logspace", 0.0, 2.0, 5, tol="sum")
row("jnp.geomspace", 1.0, 50.0, 5, tol="sum")
row("jnp.eye", 4, 5, 1)
row("jnp.identity", 4)
row("jnp.tri", 4, 5, -1)
row("jnp.indices", (3, 4))
for name in "hamming hanning bartlett blackman".split():
    row(f"jnp.{name}", 9, tol="sum")
row("jnp.kaiser", 9, 3.5, tol="sum")

# lax.
row("lax.reshape", x(3, 4), (2, 6), (1, 0))
row("lax.transpose", x(2, 3, 4), (2, 0, 1), dtypes=T)
row("lax.rev", x(3, 4), (0, 1))
row("lax.broadcast", x(3), (2,))
row("lax.broadcast_in_dim", x(3), (2, 3, 4), (1,))
row("lax.concatenate", x(3, 2), x(3, 1), fn=lambda *a: jax.lax.concatenate(a, 1), dtypes=T)
row("lax.pad", x(3, 4), 0.5, ((1, 2, 1), (-1, 0, 2)))
row("lax.slice", x(6, 7), (1, 2), (5, 7), (2, 1), dtypes=T)
row("lax.slice_in_dim", x(6, 7), 1, 5, 2)
row("lax.squeeze", x(3, 1, 4), (1,))
row("lax.expand_dims", x(3, 4), (0, 2))
row("lax.collapse", x(2, 3, 4), 1, 3)
row("lax.split", x(3, 7), (2, 4, 1), 1)
row("lax.tile", x(2, 3), (2, 2))
row("lax.iota", "int32", 7)
row("lax.broadcasted_iota", "float32", (3, 4), 1)
row("lax.convert_element_type", x(3, 4), "int8")
row("lax.bitcast_convert_type", x(3, 4), "uint16", dtypes=("f32", "bf16"))
row("lax.optimization_barrier", x(3, 4))
row("lax.stop_gradient", x(3, 4))
row("lax.select", ints(3, 4, low=0, high=1), x(3, 4), x(3, 4), fn=lambda p, a, b: jax.lax.select(p != 0, a, b))
row("lax.select_n", ints(3, 4, low=0, high=2), x(3, 4), x(3, 4), x(3, 4))
row("lax.full_like", x(3, 4), 3.0)
