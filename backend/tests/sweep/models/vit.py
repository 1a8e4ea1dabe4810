"""A vision transformer."""

import jax.numpy as jnp
from flax import linen as nn
from model import cross_entropy, linen
from table import ints, of

from models.transformer import Block


class Vit(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(32, (4, 4), strides=(4, 4), padding="VALID")(x)
        x = x.reshape(x.shape[0], -1, x.shape[-1])
        token = self.param("token", nn.initializers.zeros, (1, 1, 32))
        x = jnp.concatenate([jnp.tile(token, (x.shape[0], 1, 1)), x], axis=1)
        x = x + self.param("position", nn.initializers.normal(0.02), x.shape[1:])
        x = Block(4)(x)
        return nn.Dense(10)(nn.LayerNorm()(x)[:, 0])


table = linen("ViT", Vit(), (of("f32", 2, 16, 16, 3),), cross_entropy, labels=(ints(2, low=0, high=9),))
