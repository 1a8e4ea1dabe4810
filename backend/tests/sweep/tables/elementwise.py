"""Elementwise functions of jax.numpy."""

import jax.numpy as jnp
from table import FLOATS, INTS, NUMBERS, Table, bools, ints, of, pos, unit, x

table = row = Table("elementwise", tol="ulps")

for name in ("sin cos exp sinh cosh tanh negative square expm1 arcsinh arctan").split():
    row(f"jnp.{name}", x(3, 5), dtypes=("f32", "bf16", "f16", "f64", "c64", "c128"))
row("jnp.tan", x(3, 5), dtypes=("f32", "bf16", "f16", "f64", "c64"))
for name in "log log2 log10 log1p sqrt reciprocal".split():
    row(f"jnp.{name}", pos(3, 5), dtypes=("f32", "bf16", "f64", "c64"))
row("jnp.cbrt", pos(3, 5), dtypes=("f32", "f64"))
row("jnp.exp2", x(3, 5), dtypes=("f32", "f16"))
for name in "arcsin arccos arctanh".split():
    row(f"jnp.{name}", unit(3, 5), dtypes=("f32", "bf16", "f64", "c64"))
row("jnp.arccosh", pos(3, 5, low=1.1), dtypes=("f32", "f64", "c64"))
for name in "abs absolute sign".split():
    row(f"jnp.{name}", x(3, 5), dtypes=("f32", "bf16", "i32", "c64"))
for name in "fabs sinc i0 deg2rad rad2deg degrees radians nan_to_num".split():
    row(f"jnp.{name}", x(3, 5), dtypes=("f32", "f64"))
for name in "ceil floor rint trunc".split():
    row(f"jnp.{name}", x(3, 5, low=-9, high=9), dtypes=FLOATS)
row("jnp.round", x(3, 5, low=-9, high=9), decimals=1)
row("jnp.modf", x(3, 5, low=-9, high=9))
row("jnp.frexp", x(3, 5, low=-9, high=9), grad="no", why="its mantissa has no rule")
row("jnp.spacing", x(3, 5), grad="no", why="piecewise constant")
row("jnp.positive", x(3, 5), dtypes=NUMBERS)
for name in "angle real imag conj conjugate".split():
    row(f"jnp.{name}", x(3, 5), dtypes=("c64", "f32", "c128"))
for name in "isfinite isinf isnan isneginf isposinf signbit".split():
    row(f"jnp.{name}", x(3, 5), dtypes=("f32", "bf16"))
for name in "iscomplex isreal".split():
    row(f"jnp.{name}", x(3, 5), dtypes=("c64", "f32"))
row("jnp.invert", ints(3, 5), dtypes=("i32",))
row("jnp.bitwise_count", x(3, 5, low=0, high=100), dtypes=("u8", "i32"))
row("jnp.logical_not", bools(3, 5))
row("jnp.unwrap", x(9, low=-9, high=9))

for name in "add subtract multiply".split():
    row(f"jnp.{name}", x(3, 5), x(5), dtypes=(*NUMBERS, "f16", "u8", "c128"))
for name in "divide true_divide".split():
    row(f"jnp.{name}", x(3, 5), pos(3, 1), dtypes=("f32", "bf16", "c64", "f64"))
row("jnp.arctan2", x(3, 5), x(3, 5), dtypes=("f32", "f64"))
row("jnp.hypot", x(3, 5), x(3, 5), dtypes=("f32", "bf16", "f64"))
row("jnp.power", pos(3, 5), x(3, 5), dtypes=("f32", "f64", "c64"))
row("jnp.power", x(3, 5), 3, dtypes=("f32", "i32"))
row("jnp.float_power", pos(3, 5), x(3, 5))
for name in "maximum minimum fmax fmin".split():
    row(f"jnp.{name}", x(3, 5), x(3, 5), dtypes=("f32", "bf16", "i32"))
for name in "floor_divide remainder mod fmod".split():
    row(f"jnp.{name}", x(3, 5, low=-9, high=9), pos(3, 5, low=1, high=4), dtypes=("f32", "i32", "u8"))
row("jnp.divmod", x(3, 5, low=-9, high=9), pos(3, 5, low=1, high=4), dtypes=("f32", "i32"))
for name in "bitwise_and bitwise_or bitwise_xor".split():
    row(f"jnp.{name}", x(3, 5, low=-9, high=100), x(3, 5, low=-9, high=100), dtypes=("i32", "u8", "bool"))
for name in "left_shift right_shift".split():
    row(f"jnp.{name}", x(3, 5, low=-9, high=100), x(3, 5, low=0, high=7), dtypes=INTS)
row("jnp.copysign", x(3, 5), x(3, 5), dtypes=("f32", "bf16"))
row("jnp.nextafter", x(3, 5), x(3, 5), grad="no", why="no rule in JAX")
row("jnp.heaviside", x(3, 5), x(3, 5), grad="no", why="piecewise constant")
row("jnp.ldexp", x(3, 5), ints(3, 5))
row("jnp.logaddexp", x(3, 5), x(3, 5), dtypes=("f32", "bf16", "f64", "c64"))
row("jnp.logaddexp2", x(3, 5), x(3, 5))
for name in "equal not_equal greater greater_equal less less_equal".split():
    row(f"jnp.{name}", ints(3, 5, low=0, high=3), ints(3, 5, low=0, high=3))
row("jnp.less", x(3, 5), x(3, 5), dtypes=("f32", "bf16", "f64"))
for name in "logical_and logical_or logical_xor".split():
    row(f"jnp.{name}", bools(3, 5), bools(3, 5))
row("jnp.gcd", ints(3, 5, low=1, high=60), ints(3, 5, low=1, high=60))
row("jnp.lcm", ints(3, 5, low=1, high=60), ints(3, 5, low=1, high=60))
row("jnp.isclose", x(3, 5), x(3, 5))
row("jnp.allclose", x(3, 5), x(3, 5))
row("jnp.array_equal", x(3, 5), x(3, 5))
row("jnp.clip", x(3, 5), -1.0, 1.0, dtypes=("f32", "bf16"))
row("jnp.where", bools(3, 5), x(3, 5), x(5), dtypes=("f32", "i32", "c64"))
row("jnp.select", fn=lambda c, d, a, b: jnp.select([c, d], [a, b], 0.5), *[bools(3, 5), bools(3, 5), x(3, 5), x(3, 5)])
row("jnp.piecewise", fn=lambda a: jnp.piecewise(a, [a < -1, a > 1], [-1.0, lambda v: v * v, 0.5]), *[x(4, 4)])
row("jnp.astype", x(3, 5), "bfloat16", fn=lambda a, t: a.astype(t), dtypes=("f32", "f16", "i32"))
row("jnp.view", x(4, 4), "int16", fn=lambda a, t: a.view(t), dtypes=("f32", "bf16", "i32"))
row("jnp.packbits", bools(3, 16), axis=1)
row("jnp.unpackbits", of("u8", 3, 4, low=0, high=255))
