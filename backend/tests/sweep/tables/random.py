"""jax.random, with JAX's default generator: bits are the same, so samples are."""

import jax
import jax.numpy as jnp
from table import Table, key, of, pos, spd, x

table = row = Table("random", tol="special", grad_tol="sum")
R = "jax.random."

row(R + "bits", key(), (7,), tol="exact")
row(R + "split", key(), 3, tol="exact")
row(R + "fold_in", key(), 5, tol="exact")
row(R + "PRNGKey", 42, tol="exact")
row(R + "uniform", key(), (5, 3), tol="exact")
row(R + "randint", key(), (9,), 0, 100, tol="exact")
row(R + "bernoulli", key(), 0.3, (9,), tol="exact")
row(R + "rademacher", key(), (9,), tol="exact")
row(R + "permutation", key(), 9, tol="exact")
row(R + "choice", key(), 9, (4,), replace=False, tol="exact")
row(R + "categorical", key(), x(4, 5), tol="exact")
for name in "normal exponential gumbel laplace logistic cauchy maxwell".split():
    row(R + name, key(), (9,))
row(R + "double_sided_maxwell", key(), 0.5, 1.5, (9,))
row(R + "lognormal", key(), 0.5, (9,))
row(R + "rayleigh", key(), pos(9))
row(R + "ball", key(), 3, shape=(4,))
row(R + "beta", key(), pos(5), pos(5), tol="sum")
row(R + "binomial", key(), 9.0, 0.3, (5,), tol="exact")
row(R + "chisquare", key(), pos(5), tol="sum")
row(R + "dirichlet", key(), pos(4), tol="sum")
row(R + "f", key(), pos(5), pos(5), tol="sum")
row(R + "gamma", key(), pos(5), tol="sum")
row(R + "loggamma", key(), pos(5), tol="sum")
row(R + "generalized_normal", key(), 1.5, (5,), tol="sum")
row(R + "geometric", key(), 0.3, (9,), tol="exact")
row(R + "multinomial", key(), 9.0, of("f32", 4, low=0.2, high=0.3), tol="exact")
row(R + "multivariate_normal", key(), x(3), spd(3, 3), shape=(4,), tol="sum")
row(R + "orthogonal", key(), 3, tol="sum")
row(R + "pareto", key(), pos(5), tol="sum")
row(R + "poisson", key(), 3.5, (9,), tol="exact")
row(R + "t", key(), pos(5), tol="sum")
row(R + "triangular", key(), -1.0, 0.3, 2.0, (9,))
row(R + "truncated_normal", key(), -1.0, 1.5, (9,))
row(R + "wald", key(), pos(5), tol="sum")
row(R + "weibull_min", key(), 1.0, 1.5, (9,))
row("lax.rng_bit_generator", key(), fn=lambda k: jax.lax.rng_bit_generator(jnp.concatenate([k, k]), (7,)), tol="exact")
