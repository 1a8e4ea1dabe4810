"""A mixture of experts: the two best of four for each token, with a capacity (GShard)."""

import jax
import jax.numpy as jnp
from flax import linen as nn
from model import linen
from table import of


class Moe(nn.Module):
    experts: int = 4
    capacity: int = 10

    @nn.compact
    def __call__(self, x):
        gates = nn.softmax(nn.Dense(self.experts, use_bias=False)(x))
        weight, chosen = jax.lax.top_k(gates, 2)
        weight = weight / jnp.sum(weight, -1, keepdims=True)
        onehot = jax.nn.one_hot(chosen, self.experts)
        # Which place each choice takes with its expert; first choices come first.
        order = onehot.transpose(1, 0, 2).reshape(-1, self.experts)
        place = (jnp.cumsum(order, 0) - order).reshape(2, -1, self.experts).transpose(1, 0, 2)
        slot = jax.nn.one_hot(jnp.sum(place * onehot, -1).astype(jnp.int32), self.capacity)
        dispatch = jnp.einsum("tke,tkc->tkec", onehot, slot)
        combine = jnp.einsum("tk,tkec->tec", weight, dispatch)
        inside = jnp.einsum("tkec,td->ecd", dispatch, x)
        up = self.param("up", nn.initializers.lecun_normal(), (self.experts, x.shape[-1], 64))
        down = self.param("down", nn.initializers.lecun_normal(), (self.experts, 64, x.shape[-1]))
        y = jnp.einsum("ecf,efd->ecd", nn.silu(jnp.einsum("ecd,edf->ecf", inside, up)), down)
        balance = self.experts * jnp.sum(jnp.mean(gates, 0) * jnp.mean(onehot[:, 0], 0))
        return x + jnp.einsum("tec,ecd->td", combine, y), balance


table = linen(
    "MoE",
    Moe(),
    (of("f32", 16, 32),),
    lambda out, t: jnp.mean((out[0] - t) ** 2) + 0.01 * out[1],
    labels=(of("f32", 16, 32),),
)
