"""jax.scipy.special, and the special functions of jax.lax."""

import numpy as np
from table import Table, ints, of, pos, prob, unit, x

table = row = Table("special", tol="special")
S = "jax.scipy.special."

for name in "erf erfc expit log_ndtr ndtr i0 i0e i1 i1e dawsn erfcx".split():
    row(S + name, x(3, 5, low=-3, high=3), dtypes=("f32", "f64"))
for name in "erf erfc expit".split():
    row(S + name, x(3, 5), dtypes=("bf16", "f16"))
row(S + "entr", pos(3, 5))
row(S + "erfinv", unit(3, 5), dtypes=("f32", "f64"))
row(S + "erfcinv", prob(3, 5), dtypes=("f32", "f64"))
row(S + "logit", prob(3, 5), dtypes=("f32", "f64"))
row(S + "ndtri", prob(3, 5), dtypes=("f32", "f64"))
row(S + "gamma", pos(3, 5), dtypes=("f32", "f64"))
row(S + "gammaln", pos(3, 5, high=20), dtypes=("f32", "f64"))
row(S + "gammasgn", x(3, 5), grad="no", why="piecewise constant")
row(S + "loggamma", pos(3, 5), dtypes=("f32", "f64"))
row(S + "digamma", pos(3, 5, high=20), dtypes=("f32", "f64"))
row(S + "digamma", x(3, 5, low=-5.8, high=-5.2))
row(S + "polygamma", ints(3, 5, low=1, high=4), of("f32", 3, 5, low=0.3, high=9), grad=(1,))
row(S + "zeta", of("f32", 3, 5, low=1.5, high=6), of("f32", 3, 5, low=0.5, high=9), grad=(1,))
row(S + "zeta", x(3, 5, low=1.5, high=6), x(3, 5, low=0.5, high=9), grad=(1,), dtypes=("f64",))
row(S + "beta", pos(3, 5), pos(3, 5))
row(S + "betaln", pos(3, 5, high=9), pos(3, 5, high=9), dtypes=("f32", "f64"))
row(S + "betainc", pos(3, 5), pos(3, 5), prob(3, 5), dtypes=("f32", "f64"), grad=(2,))
row(S + "gammainc", pos(3, 5, high=9), pos(3, 5, high=12), dtypes=("f32", "f64"))
row(S + "gammaincc", pos(3, 5, high=9), pos(3, 5, high=12), dtypes=("f32", "f64"))
row(S + "bernoulli", 6)
row(S + "boxcox", pos(3, 5), unit(3, 5))
row(S + "boxcox1p", pos(3, 5), unit(3, 5))
row(S + "comb", of("f32", 3, 5, low=5, high=9, make=np.round), of("f32", 3, 5, low=1, high=4, make=np.round))
row(S + "factorial", ints(3, 5, low=0, high=9))
row(S + "poch", pos(3, 5), pos(3, 5))
row(S + "multigammaln", of("f32", 3, 5, low=3, high=9), 3)
row(S + "rel_entr", pos(3, 5), pos(3, 5))
row(S + "kl_div", pos(3, 5), pos(3, 5))
row(S + "xlogy", pos(3, 5), pos(3, 5), dtypes=("f32", "f64"))
row(S + "xlog1py", pos(3, 5), pos(3, 5), dtypes=("f32", "f64"))
row(S + "log_softmax", x(3, 5), axis=1)
row(S + "softmax", x(3, 5), axis=1)
row(S + "logsumexp", x(3, 5), axis=1, dtypes=("f32", "f64", "bf16"))
row(S + "spence", pos(3, 5), dtypes=("f32", "f64"))
row(S + "expi", pos(3, 5), dtypes=("f32", "f64"))
row(S + "exp1", pos(3, 5))
row(S + "expn", ints(3, 5, low=1, high=4), of("f32", 3, 5, low=0.1, high=4), grad=(1,))
row(S + "fresnel", x(3, 5), dtypes=("f32", "f64"))
row(S + "sici", pos(3, 5), dtypes=("f32", "f64"))
row(S + "wofz", x(3, 5), dtypes=("c64", "c128"))
row(S + "owens_t", x(3, 5), x(3, 5))
row(S + "bessel_jn", of("f32", 4, low=0.1, high=5), v=3, n_iter=20)
row(
    S + "sph_harm_y",
    ints(5, low=2, high=3),
    ints(5, low=0, high=2),
    of("f32", 5, low=0.1, high=3),
    of("f32", 5, low=0, high=6),
    n_max=4,
    tol="sum",
)
# Its derivative by the first parameter cancels to a few digits in f32.
row(S + "hyp1f1", pos(3, 5), pos(3, 5), x(3, 5), dtypes=("f64", "f32"))
row(
    S + "hyp2f1",
    of("f32", 6, low=0.2, high=1.5),
    of("f32", 6, low=0.2, high=1.5),
    of("f32", 6, low=2.2, high=3.5),
    of("f32", 6, low=-0.8, high=0.8),
    grad="no",
    why="no rule in JAX",
)
row("lax.bessel_i0e", x(3, 5), dtypes=("f32", "f64"))
row("lax.bessel_i1e", x(3, 5), dtypes=("f32", "f64"))
row("lax.lgamma", x(3, 5, low=-3.8, high=-3.2), dtypes=("f32", "f64"))
row("lax.digamma", pos(3, 5), dtypes=("f32", "bf16"))
row("lax.igamma", pos(3, 5), pos(3, 5))
row("lax.igammac", pos(3, 5), pos(3, 5))
row("lax.igamma_grad_a", pos(3, 5), pos(3, 5), grad="no", why="no rule in JAX")
row("lax.random_gamma_grad", pos(3, 5, low=0.3), pos(3, 5), grad="no", why="no rule in JAX")
row("lax.erf_inv", unit(3, 5), dtypes=("f32", "bf16"))
row("lax.betainc", pos(3, 5), pos(3, 5), prob(3, 5), grad=(2,))
row("lax.polygamma", of("f32", 5, low=1, high=3, make=np.round), of("f32", 5, low=0.3, high=9), grad=(1,))
row("lax.zeta", of("f32", 5, low=1.5, high=6), of("f32", 5, low=0.5, high=9), grad="no", why="no rule in JAX")
