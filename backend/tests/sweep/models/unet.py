"""A U-Net that labels pixels."""

import jax.numpy as jnp
from flax import linen as nn
from model import cross_entropy, linen
from table import ints, of


class Stage(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.silu(nn.GroupNorm(4)(nn.Conv(self.features, (3, 3))(x)))
        return x


class UNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        high = Stage(8)(x)
        middle = Stage(16)(nn.max_pool(high, (2, 2), strides=(2, 2)))
        low = Stage(32)(nn.max_pool(middle, (2, 2), strides=(2, 2)))
        x = nn.ConvTranspose(16, (2, 2), strides=(2, 2))(low)
        x = Stage(16)(jnp.concatenate([x, middle], -1))
        x = nn.ConvTranspose(8, (2, 2), strides=(2, 2))(x)
        x = Stage(8)(jnp.concatenate([x, high], -1))
        return nn.Conv(3, (1, 1))(x)


table = linen("U-Net", UNet(), (of("f32", 2, 16, 16, 3),), cross_entropy, labels=(ints(2, 16, 16, low=0, high=2),))
