"""Reductions, cumulative functions and statistics of jax.numpy and jax.scipy.stats."""

import jax
import jax.numpy as jnp
import jax.scipy.stats
from table import Table, bools, distinct, ints, of, pos, prob, rising, x

table = row = Table("reductions", tol="sum")

for name in "sum mean prod".split():
    row(f"jnp.{name}", x(3, 4, 5), dtypes=("f32", "bf16", "f64", "c64", "i32"))
    row(f"jnp.{name}", x(3, 4, 5), axis=(0, 2), keepdims=True)
for name in "max min amax amin ptp minmax".split():
    row(f"jnp.{name}", distinct(3, 4), axis=1, dtypes=("f32", "i32", "bf16"), tol="exact")
for name in "var std".split():
    row(f"jnp.{name}", x(6, 5), axis=0, dtypes=("f32", "f64", "c64"))
    row(f"jnp.{name}", x(6, 5), ddof=1)
for name in "all any".split():
    row(f"jnp.{name}", bools(3, 4), axis=1)
row("jnp.count_nonzero", ints(4, 5, low=-1, high=1), axis=0)
for name in "argmax argmin nanargmax nanargmin".split():
    row(f"jnp.{name}", distinct(3, 7), axis=1, dtypes=("f32", "i32"))
row("jnp.median", distinct(4, 7), axis=1, dtypes=("f32", "f64"))
row("jnp.nanmedian", distinct(4, 6), axis=1)
for name in "quantile nanquantile".split():
    row(f"jnp.{name}", distinct(4, 7), of("f32", 3, low=0.05, high=0.95), axis=1, grad=(0,))
row("jnp.percentile", distinct(4, 7), 30.0, method="linear")
row("jnp.nanpercentile", distinct(4, 7), 30.0)
for name in "nansum nanmean nanvar nanstd nanmax nanmin nanprod".split():
    row(f"jnp.{name}", x(4, 5), axis=1)
for name in "cumsum cumprod nancumsum nancumprod".split():
    row(f"jnp.{name}", x(3, 6), axis=1, dtypes=("f32", "i32", "f64") if name[0] == "c" else ("f32",))
row("jnp.cumulative_sum", x(7), include_initial=True)
row("jnp.cumulative_prod", x(7))
for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
    row(f"lax.{name}", distinct(5, 4), axis=0, reverse=True, dtypes=("f32", "bf16"))
row("jnp.average", x(4, 5), axis=0, weights=jnp.array([1.0, 2.0, 0.5, 1.5]))
row("jnp.trapezoid", x(4, 5), dx=0.5)
row("jax.scipy.integrate.trapezoid", x(4, 5), rising(5))
row("jnp.diff", x(4, 6), n=2)
row("jnp.ediff1d", x(7))
row("jnp.gradient", x(5, 6))
row("jnp.cov", x(4, 9))
row("jnp.corrcoef", x(4, 9))
row("jnp.histogram", x(40), bins=7)
row("jnp.histogram2d", x(40), x(40), bins=4, grad="no", why="its gradient with respect to edges is of NaN")
row("jnp.histogram_bin_edges", x(40), bins=7)
row("jnp.histogramdd", x(20, 2), bins=3, grad="no", why="counts")
row("jnp.bincount", ints(30, low=0, high=6), length=7)
row("jnp.interp", x(6), rising(8), x(8))
row("jnp.polyval", x(4), x(5))
row("lax.reduce_precision", x(3, 5), 5, 7, tol="exact")
for name in "sum max min prod".split():
    row(f"lax.reduce_{name}", distinct(4, 5), axes=(0,), dtypes=("f32", "i32"))
for name in "and or xor".split():
    row(f"lax.reduce_{name}", ints(4, 5, low=0, high=99), axes=(0,))
row("lax.reduce_and", bools(4, 5), axes=(1,))
row(
    "lax.reduce",
    x(4, 5),
    fn=lambda a: jax.lax.reduce(a, jnp.float32(0), lambda p, q: p + q * 1.0, (1,)),
    grad="no",
    why="none for a general function",
)
row(
    "jax.ops.segment_prod",
    x(9, 2),
    ints(9, low=0, high=3),
    num_segments=5,
    grad="no",
    why="no rule in JAX for indices that repeat",
)
for name in "segment_sum segment_max segment_min".split():
    row(f"jax.ops.{name}", distinct(9, 2), ints(9, low=0, high=3), num_segments=5)

row("jax.scipy.stats.mode", ints(4, 9, low=0, high=4), axis=1)
row("jax.scipy.stats.rankdata", ints(9, low=0, high=5))
row("jax.scipy.stats.sem", x(4, 9), axis=1)

D = "jax.scipy.stats."
for name, args in {
    "norm": (x(9), x(9), pos(9)),
    "cauchy": (x(9), x(9), pos(9)),
    "laplace": (x(9), x(9), pos(9)),
    "logistic": (x(9),),
    "expon": (pos(9),),
    "uniform": (x(9, low=0.1, high=0.9),),
    "gamma": (pos(9), pos(9)),
    "beta": (prob(9), pos(9), pos(9)),
    "t": (x(9), pos(9)),
    "chi2": (pos(9), pos(9)),
    "pareto": (pos(9, low=1.1), pos(9)),
    "truncnorm": (x(9, low=-0.9, high=0.9), x(9, low=-2, high=-1), x(9, low=1, high=2)),
    "gennorm": (x(9), pos(9)),
    "wrapcauchy": (pos(9), prob(9)),
    "vonmises": (x(9), pos(9)),
}.items():
    # Differences of logarithms, and their exponentials.
    row(f"{D}{name}.logpdf", *args, dtypes=("f32", "f64"))
    row(f"{D}{name}.pdf", *args)
for name in "norm cauchy expon laplace logistic".split():
    row(f"{D}{name}.cdf", pos(9), tol="special")
for name in "norm cauchy expon logistic".split():
    row(f"{D}{name}.sf", pos(9), tol="special")
for name in "norm cauchy logistic".split():
    row(f"{D}{name}.ppf", prob(9), tol="special")
row(f"{D}norm.logcdf", x(9), tol="special")
row(f"{D}norm.logsf", x(9), tol="special")
row(f"{D}norm.isf", prob(9), tol="special")
row(f"{D}gamma.cdf", pos(9), pos(9), tol="special")
row(f"{D}beta.cdf", prob(9), of("f32", 9, low=1, high=3), of("f32", 9, low=1, high=3), tol="special", grad=(0,))
row(f"{D}chi2.cdf", pos(9), pos(9), tol="special")
row(f"{D}chi2.sf", pos(9), pos(9), tol="special")
for name, args in {
    "bernoulli": (0.3,),
    "poisson": (2.5,),
    "geom": (0.3,),
    "binom": (9, 0.3),
    "nbinom": (4, 0.3),
    "betabinom": (9, 1.5, 2.0),
}.items():
    row(
        f"{D}{name}.logpmf",
        ints(9, low=0 if name == "bernoulli" else 1, high=1 if name == "bernoulli" else 8),
        *args,
        tol="special",
    )
row(f"{D}poisson.cdf", ints(9, low=0, high=6), 2.5, tol="special")
row(
    f"{D}multivariate_normal.logpdf",
    x(5, 3),
    jnp.zeros(3),
    jnp.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]]),
)
row(f"{D}dirichlet.logpdf", jnp.array([0.2, 0.3, 0.5]), pos(3))
row(f"{D}multinomial.logpmf", jnp.array([1, 2, 3]), 6, of("f32", 3, low=0.3, high=0.35))
row(f"{D}gaussian_kde", x(20), x(5), fn=lambda d, p: jax.scipy.stats.gaussian_kde(d)(p))
