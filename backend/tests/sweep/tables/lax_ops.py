"""jax.lax: elementwise operations, windows and control flow."""

import jax
import jax.numpy as jnp
import jax.scipy.optimize
from jax import lax
from table import Table, bools, distinct, ints, pos, unit, x

table = row = Table("lax", tol="ulps")

for name in "abs neg sign sin cos tan exp exp2 expm1 sinh cosh tanh square asinh atan logistic".split():
    row(f"lax.{name}", x(3, 5), dtypes=("f32", "f64", "bf16"))
for name in "log log1p sqrt rsqrt cbrt reciprocal log2".split():
    row(f"lax.{name}", pos(3, 5), dtypes=("f32", "f64", "bf16"))
for name in "asin acos atanh one_minus_square".split():
    row(f"lax.{name}", unit(3, 5), dtypes=("f32", "f64"))
row("lax.acosh", pos(3, 5, low=1.2))
for name in "erf erfc".split():
    row(f"lax.{name}", x(3, 5), dtypes=("f32", "f64"), tol="special")
for name in "ceil floor".split():
    row(f"lax.{name}", x(3, 5), dtypes=("f32", "bf16"))
row("lax.round", x(3, 5, low=-9, high=9))
row("lax.round", x(3, 5, low=-9, high=9), lax.RoundingMethod.TO_NEAREST_EVEN)
row("lax.is_finite", x(3, 5))
for name in "add sub mul".split():
    row(f"lax.{name}", x(3, 5), x(3, 5), dtypes=("f32", "i32", "bf16", "c64", "u8"))
row("lax.div", x(3, 5), pos(3, 5, low=1, high=4), dtypes=("f32", "i32", "bf16", "c64"))
row("lax.rem", x(3, 5, low=-9, high=9), pos(3, 5, low=1, high=4), dtypes=("f32", "i32"))
for name in "max min".split():
    row(f"lax.{name}", x(3, 5), x(3, 5), dtypes=("f32", "i32", "bf16", "f64"))
for name in "eq ne lt le gt ge".split():
    row(f"lax.{name}", x(3, 5), x(3, 5), dtypes=("f32", "i32", "u8"))
row("lax.pow", pos(3, 5), x(3, 5), dtypes=("f32", "f64", "bf16"))
row("lax.integer_pow", x(3, 5), 5, dtypes=("f32", "i32"))
row("lax.atan2", x(3, 5), x(3, 5))
row("lax.complex", x(3, 5), x(3, 5), dtypes=("f32", "f64"))
for name in "real imag conj".split():
    row(f"lax.{name}", x(3, 5), dtypes=("c64",))
row("lax.nextafter", x(3, 5), x(3, 5), grad="no", why="no rule in JAX")
row("lax.clamp", -1.0, x(3, 5), 1.0)
for name in "bitwise_and bitwise_or bitwise_xor".split():
    row(f"lax.{name}", x(3, 5, low=0, high=99), x(3, 5, low=0, high=99), dtypes=("i32", "u8", "bool"))
row("lax.bitwise_not", x(3, 5, low=0, high=99), dtypes=("i32", "bool"))
for name in "shift_left shift_right_logical shift_right_arithmetic".split():
    row(f"lax.{name}", x(3, 5, low=-99, high=99), x(3, 5, low=0, high=7), dtypes=("i32", "u8"))
for name in "clz population_count".split():
    row(f"lax.{name}", x(3, 5, low=0, high=99), dtypes=("i32", "u8", "u32"))
row("lax.mulhi", x(3, 5, low=0, high=2**31 - 1), x(3, 5, low=0, high=2**31 - 1), dtypes=("u32",))

# Windows.
for name, init, op in (("sum", 0.0, lax.add), ("max", -jnp.inf, lax.max), ("min", jnp.inf, lax.min)):
    row(
        f"lax.reduce_window {name}",
        distinct(2, 6, 6, 3),
        fn=lambda a, i=init, o=op: lax.reduce_window(a, i, o, (1, 2, 3, 1), (1, 2, 1, 1), "SAME"),
        tol="sum",
    )
row(
    "lax.reduce_window",
    x(7, 6),
    fn=lambda a: lax.reduce_window(a, jnp.float32(1), lax.mul, (3, 2), (1, 1), "VALID", window_dilation=(2, 1)),
    grad="no",
    why="none for products",
    tol="sum",
)

# Control flow.
row("lax.cond", bools(), x(4), fn=lambda p, a: lax.cond(p, jnp.sin, lambda v: v * 2, a))
row("lax.switch", ints(low=0, high=2), x(4), fn=lambda i, a: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], a))
row("lax.fori_loop", x(4), fn=lambda a: lax.fori_loop(0, 5, lambda i, v: jnp.sin(v) + i * a, a), tol="sum")
row(
    "lax.while_loop",
    x(4),
    fn=lambda a: lax.while_loop(lambda s: jnp.sum(jnp.abs(s)) > 1.0, lambda s: s * 0.7, a),
    grad="no",
    why="no rule in JAX",
)
row(
    "lax.scan",
    x(3),
    x(6, 3),
    fn=lambda c, s: lax.scan(lambda h, v: (jnp.tanh(h * 0.5 + v), h * v), c, s),
    tol="sum",
    dtypes=("f32", "bf16"),
)
row(
    "lax.scan",
    x(3),
    x(6, 3),
    fn=lambda c, s: lax.scan(lambda h, v: (h * 0.5 + v, h), c, s, reverse=True, unroll=2),
    tol="sum",
)
row("lax.map", x(5, 3), fn=lambda a: lax.map(lambda v: jnp.sort(v) * v.sum(), a), tol="sum")
row(
    "lax.associative_scan",
    x(7, 2),
    fn=lambda a: lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (a, a)),
    tol="sum",
)
row(
    "lax.custom_linear_solve",
    pos(4),
    x(4),
    fn=lambda d, b: lax.custom_linear_solve(lambda v: d * v, b, lambda _, r: r / d, symmetric=True),
    tol="sum",
)
row(
    "lax.custom_root",
    pos(4),
    fn=lambda a: lax.custom_root(
        lambda v: v * v * v - a,
        jnp.ones(4),
        lambda f, g: lax.fori_loop(0, 12, lambda i, v: v - f(v) / (3 * v * v), g),
        lambda g, y: y / g(jnp.ones(4)),
    ),
    tol="sum",
)
row(
    "lax.composite",
    x(4),
    fn=lambda a: lax.composite(lambda v: v * 2 + 1, "tpusim.twice_and_one")(a),
    tol="sum",
    grad="no",
    why="no rule in JAX",
)
row("lax.platform_dependent", x(4), fn=lambda a: lax.platform_dependent(a, cpu=jnp.sin, default=jnp.cos))
row("jax.checkpoint", x(4), fn=jax.checkpoint(lambda a: jnp.sin(jnp.cos(a))))
row("jax.vmap", x(5, 3), x(3), fn=jax.vmap(lambda a, b: jnp.dot(a, b) * a, in_axes=(0, None)), tol="sum")
row("jax.hessian", x(4), fn=jax.hessian(lambda a: jnp.sum(jnp.sin(a) * a[::-1] ** 2)), tol="sum")
row("jax.jacfwd", x(4), fn=jax.jacfwd(lambda a: jnp.sin(a * a[::-1])), tol="sum")
row(
    "jax.scipy.optimize.minimize",
    x(3),
    fn=lambda a: (
        jax.scipy.optimize.minimize(
            lambda v: jnp.sum((v - a) ** 2) + jnp.sum(v**4), jnp.ones(3), method="BFGS", options={"maxiter": 20}
        ).x
    ),
    grad="no",
    why="no rule in JAX",
    tol="sum",
)
