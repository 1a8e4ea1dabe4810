"""A classifier of two hidden layers, in flax.nnx."""

import jax
from flax import nnx
from model import cross_entropy, nnx_model
from table import ints, of


class Mlp(nnx.Module):
    def __init__(self, rngs):
        self.layers = nnx.List([nnx.Linear(16, 64, rngs=rngs), nnx.Linear(64, 64, rngs=rngs)])
        self.norm = nnx.LayerNorm(64, rngs=rngs)
        self.head = nnx.Linear(64, 10, rngs=rngs)

    def __call__(self, x):
        for layer in self.layers:
            x = jax.nn.relu(layer(x))
        return self.head(self.norm(x))


table = nnx_model("MLP", Mlp, (of("f32", 4, 16),), cross_entropy, labels=(ints(4, low=0, high=9),))
