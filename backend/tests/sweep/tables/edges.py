"""Elementwise and special functions at their edges, and over many magnitudes."""

import numpy as np
from table import Array, Table, resolve

table = row = Table("edges", tol="ulps")
S = "jax.scipy.special."

# No subnormals, nor numbers whose reciprocals are: XLA:CPU flushes them.
EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    -3.0,
    7.0,
    10.0,
    np.pi,
    -np.pi / 2,
    np.inf,
    -np.inf,
    np.nan,
    1e-3,
    -1e-3,
    1e-7,
    -1e-12,
    1e-30,
    1e3,
    -1e4,
    1e5,
    1e10,
    -1e20,
    8e37,
    87.0,
    -87.0,
    89.0,
    -104.0,
    710.0,
    -745.0,
]


def edges():
    return Array((len(EDGES),), None, 0, 1, lambda a: np.array(EDGES))


# Of moderate size: exponents such as a·log(x) - x - lgamma(a) lose digits as they grow.
FEW = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 1e-3, -0.5, -1.0, np.inf, -np.inf, np.nan]


def pair(second, values=EDGES):
    """Every edge with every other."""
    n = len(values)
    return Array((n * n,), None, 0, 1, lambda a: np.tile(values, n) if second else np.repeat(values, n))


def wide(n=64, high=6):
    """Of either sign, magnitudes from 10^-high to 10^high."""
    return Array((n,), None, -1, 1, lambda a: np.sign(a) * 10.0 ** (high * (np.abs(a) * 2 - 1)))


def one(name, tol=None, dtypes=("f32", "f64", "bf16"), wides=True):
    fn = resolve(name)
    row(f"{name} edges", edges(), fn=fn, dtypes=dtypes, tol=tol, grad="no", why="many of its values are infinite")
    if wides:
        row(f"{name} wide", wide(), fn=fn, dtypes=dtypes, tol=tol, grad="no", why="as of ordinary values")


for name in (
    "sin cos tan exp exp2 expm1 sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh log log2 log10 log1p sqrt "
    "cbrt reciprocal square abs sign ceil floor rint trunc round sinc nan_to_num isfinite isnan signbit"
).split():
    one(f"jnp.{name}")
one("lax.logistic")
one("lax.rsqrt")
for name in "relu silu gelu softplus log_sigmoid sigmoid elu selu mish squareplus".split():
    one(f"jax.nn.{name}", tol="special")
for name in (
    "erf erfc erfcx erfinv gammaln gamma digamma expit logit ndtr log_ndtr ndtri i0 i0e i1 i1e entr spence expi exp1 "
    "dawsn fresnel sici gammasgn"
).split():
    # gamma is exp(gammaln), which is tried itself; the exponential makes many units of few.
    one(S + name, tol="special", dtypes=("f32", "f64"), wides=name != "gamma")
for name in (
    "add subtract multiply divide power arctan2 maximum minimum fmax fmin remainder fmod floor_divide hypot logaddexp "
    "copysign nextafter less equal heaviside"
).split():
    row(
        f"jnp.{name} edges",
        pair(False),
        pair(True),
        fn=resolve(f"jnp.{name}"),
        dtypes=("f32", "f64"),
        grad="no",
        why="many of its values are infinite",
    )
# JAX's loops for some of these take minutes at arguments like 1e10.
for name in "xlogy xlog1py rel_entr kl_div gammainc gammaincc beta betaln".split():
    row(
        f"{S}{name} edges",
        pair(False, FEW),
        pair(True, FEW),
        fn=resolve(S + name),
        dtypes=("f32", "f64"),
        grad="no",
        why="many of its values are infinite",
        tol="special",
    )
for name in "exp log sqrt tanh sin cos log1p expm1 square reciprocal abs".split():
    row(
        f"jnp.{name} edges",
        pair(False),
        fn=resolve(f"jnp.{name}"),
        dtypes=("f16",),
        grad="no",
        why="many of its values are infinite",
    )
for name, values in (("zeta", FEW[:-3]), ("zeta at infinity", [np.inf, 0.5, 1.0, 2.0])):
    row(
        f"{S}{name} edges",
        pair(False, values),
        pair(True, values),
        fn=resolve(S + "zeta"),
        dtypes=("f32", "f64"),
        grad="no",
        why="many of its values are infinite",
        tol="special",
    )
for name in ("spence", "expi"):
    row(
        f"{S}{name} where its reciprocal is subnormal",
        Array((1,), None, 0, 1, lambda a: a * 0 + 3e38),
        fn=resolve(S + name),
        grad="no",
        why="of one value",
        tol="special",
    )
# Complex numbers of many magnitudes. Some of the functions are exported as differences of exponentials, which
# leave an error of that of one: nothing of it is made by an operation alone.
CANCEL = ("sinh", "cosh", "sin", "cos")
for name in "sin cos tan exp expm1 sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh log log1p sqrt square reciprocal abs sign".split():
    row(
        f"jnp.{name} complex wide",
        wide(200, 4),
        fn=lambda a, f=resolve(f"jnp.{name}"): f(a[:100] + 1j * a[100:]),
        dtypes=("f32", "f64"),
        tol="special" if name in CANCEL else None,
        grad="no",
        why="as of ordinary values",
    )
