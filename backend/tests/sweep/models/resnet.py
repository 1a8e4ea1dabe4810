"""A block of a residual network that halves the image, with batch normalization while training."""

import jax.numpy as jnp
from flax import linen as nn
from model import linen
from table import of


class ResNetBlock(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        norm = lambda: nn.BatchNorm(use_running_average=False, momentum=0.9)
        y = nn.relu(norm()(nn.Conv(self.features, (3, 3), (2, 2), use_bias=False)(x)))
        y = norm()(nn.Conv(self.features, (3, 3), use_bias=False)(y))
        x = norm()(nn.Conv(self.features, (1, 1), (2, 2), use_bias=False)(x))
        return nn.relu(x + y)


table = linen(
    "ResNet block",
    ResNetBlock(16),
    (of("f32", 2, 8, 8, 8),),
    lambda y, t: jnp.mean((y - t) ** 2),
    labels=(of("f32", 2, 4, 4, 16),),
)
