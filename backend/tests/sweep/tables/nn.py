"""jax.nn."""

import jax
from table import Table, bools, ints, of, pos, x

table = row = Table("nn", tol="special")
N = "jax.nn."

for name in "celu elu gelu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log_sigmoid mish relu relu6 selu sigmoid silu soft_sign softplus sparse_plus sparse_sigmoid squareplus swish tanh".split():
    row(N + name, x(3, 5, low=-4, high=4), dtypes=("f32", "bf16", "f64"))
row(N + "gelu", x(3, 5), approximate=False, dtypes=("f32", "f64"))
row(N + "glu", x(3, 6))
row(N + "log1mexp", pos(3, 5))
for name in "softmax log_softmax".split():
    row(N + name, x(3, 5), dtypes=("f32", "bf16", "f64"))
    row(N + name, x(3, 5), axis=0)
row(N + "softmax", x(3, 5), bools(3, 5), fn=lambda a, m: jax.nn.softmax(a, where=m.at[:, 0].set(True)))
row(N + "logsumexp", x(3, 5), axis=1, tol="sum")
row(N + "logmeanexp", x(3, 5), axis=1, tol="sum")
row(N + "standardize", x(3, 5), tol="sum")
row(N + "one_hot", ints(5, low=-1, high=6), 6, tol="exact")
row(N + "dot_product_attention", x(2, 6, 2, 8), x(2, 6, 2, 8), x(2, 6, 2, 8), dtypes=("f32", "bf16"), tol="sum")
row(N + "dot_product_attention", x(2, 6, 4, 8), x(2, 6, 2, 8), x(2, 6, 2, 8), is_causal=True, tol="sum")
row(
    N + "scaled_matmul",
    x(1, 4, 32),
    x(1, 5, 32),
    of("f32", 1, 4, 1, low=0.5, high=2),
    of("f32", 1, 5, 1, low=0.5, high=2),
    fn=lambda a, b, s, t: jax.nn.scaled_matmul(
        a.astype("float8_e4m3fn"), b.astype("float8_e4m3fn"), s.astype("float8_e8m0fnu"), t.astype("float8_e8m0fnu")
    ),
    grad="no",
    why="no rule in JAX",
    tol="sum",
)
for (
    name
) in "glorot_uniform glorot_normal he_uniform he_normal lecun_uniform lecun_normal orthogonal truncated_normal".split():
    row(
        f"{N}initializers.{name}",
        of("u32", 2, low=0, high=2**31),
        fn=lambda k, f=getattr(jax.nn.initializers, name): f()(k, (4, 6)),
        tol="sum",
    )
