"""A selective state space layer (Mamba's), in flax.nnx, with an associative scan."""

import jax
import jax.numpy as jnp
from flax import nnx
from model import nnx_model
from table import of


class Ssm(nnx.Module):
    def __init__(self, rngs, width=32, inner=64, state=8):
        self.split = nnx.Linear(width, 2 * inner, use_bias=False, rngs=rngs)
        self.conv = nnx.Conv(inner, inner, (4,), padding="CAUSAL", feature_group_count=inner, rngs=rngs)
        self.select = nnx.Linear(inner, 2 * state, use_bias=False, rngs=rngs)
        self.step = nnx.Linear(inner, inner, rngs=rngs)
        self.rate = nnx.Param(jnp.zeros((inner, state)))
        self.skip = nnx.Param(jnp.ones(inner))
        self.join = nnx.Linear(inner, width, use_bias=False, rngs=rngs)
        self.norm = nnx.RMSNorm(width, rngs=rngs)

    def __call__(self, x):
        u, gate = jnp.split(self.split(self.norm(x)), 2, -1)
        u = jax.nn.silu(self.conv(u))
        b, c = jnp.split(self.select(u), 2, -1)
        dt = jax.nn.softplus(self.step(u))[..., None]
        decay = jnp.exp(-dt * jnp.exp(self.rate[...]))
        drive = dt * b[..., None, :] * u[..., None]
        _, h = jax.lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (decay, drive), axis=1)
        y = jnp.einsum("blds,bls->bld", h, c) + self.skip[...] * u
        return x + self.join(y * jax.nn.silu(gate))


table = nnx_model(
    "SSM", Ssm, (of("f32", 2, 12, 32),), lambda y, t: jnp.mean((y - t) ** 2), labels=(of("f32", 2, 12, 32),)
)
