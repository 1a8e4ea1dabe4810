"""A transformer's encoder, with dropout while training, and a decoder that predicts the next token."""

import jax.numpy as jnp
from flax import linen as nn
from model import cross_entropy, linen
from table import Table, ints, of


class Block(nn.Module):
    heads: int
    dropout: float = 0.0

    @nn.compact
    def __call__(self, x, mask=None, memory=None):
        drop = nn.Dropout(self.dropout, deterministic=self.dropout == 0)
        y = nn.LayerNorm()(x)
        x = x + drop(nn.MultiHeadDotProductAttention(self.heads)(y, mask=mask))
        if memory is not None:
            x = x + drop(nn.MultiHeadDotProductAttention(self.heads)(nn.LayerNorm()(x), memory))
        y = nn.gelu(nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x)))
        return x + drop(nn.Dense(x.shape[-1])(y))


class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x + self.param("position", nn.initializers.normal(0.02), x.shape[1:])
        for _ in range(2):
            x = Block(4, dropout=0.1)(x)
        return nn.LayerNorm()(x)


class Decoder(nn.Module):
    """Pre-norm, tied embedding, attention to an encoder's memory."""

    @nn.compact
    def __call__(self, tokens, memory):
        embed = nn.Embed(50, 32)
        x = embed(tokens) + nn.Embed(12, 32)(jnp.arange(tokens.shape[1]))
        mask = nn.make_causal_mask(tokens)
        for _ in range(2):
            x = Block(4)(x, mask, memory)
        return embed.attend(nn.LayerNorm()(x))


table = Table("models", tol="model")
table.rows += linen(
    "transformer encoder",
    Encoder(),
    (of("f32", 2, 12, 32),),
    lambda y, t: jnp.mean((y - t) ** 2),
    labels=(of("f32", 2, 12, 32),),
    rngs=("dropout",),
).rows
table.rows += linen(
    "transformer decoder",
    Decoder(),
    (ints(2, 12, low=0, high=49), of("f32", 2, 6, 32)),
    cross_entropy,
    labels=(ints(2, 12, low=0, high=49),),
).rows
