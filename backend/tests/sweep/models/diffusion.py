"""A step of diffusion: forward, one step of DDPM's sampler; gradient, of the error in the noise."""

import jax
import jax.numpy as jnp
from flax import linen as nn
from model import add
from table import ints, key, of

STEPS = 50
BETA = jnp.linspace(1e-4, 0.02, STEPS)
ALPHA = jnp.cumprod(1 - BETA)


class Denoiser(nn.Module):
    @nn.compact
    def __call__(self, x, t):
        angle = t[:, None] * jnp.exp(-jnp.log(1e4) * jnp.arange(16) / 16)
        time = nn.Dense(32)(nn.silu(nn.Dense(64)(jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], -1))))
        h = nn.Conv(16, (3, 3))(x)
        scale, shift = jnp.split(time[:, None, None, :], 2, -1)
        h = h + nn.Conv(16, (3, 3))(nn.silu(nn.GroupNorm(4)(h) * (1 + scale) + shift))
        return nn.Conv(x.shape[-1], (3, 3))(nn.silu(h))


model = Denoiser()


def sample(params, x, t, k):
    noise = model.apply(params, x, t.astype(jnp.float32))
    beta, alpha = BETA[t][:, None, None, None], ALPHA[t][:, None, None, None]
    mean = (x - beta / jnp.sqrt(1 - alpha) * noise) / jnp.sqrt(1 - beta)
    fresh = jax.random.normal(k, x.shape)
    return mean + jnp.where(t[:, None, None, None] > 0, jnp.sqrt(beta) * fresh, 0)


def loss(params, x, t, k):
    noise = jax.random.normal(k, x.shape)
    alpha = ALPHA[t][:, None, None, None]
    seen = jnp.sqrt(alpha) * x + jnp.sqrt(1 - alpha) * noise
    return jnp.mean((model.apply(params, seen, t.astype(jnp.float32)) - noise) ** 2)


image, step = (2, 8, 8, 3), (2,)
params = jax.eval_shape(
    model.init, jax.random.PRNGKey(0), jax.ShapeDtypeStruct(image, jnp.float32), jax.ShapeDtypeStruct(step, jnp.float32)
)
table = add(
    "diffusion step", params, sample, loss, (of("f32", *image), ints(*step, low=0, high=STEPS - 1), key()), "model"
)
