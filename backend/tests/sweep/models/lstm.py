"""A recurrent classifier of sequences of different lengths."""

import jax.numpy as jnp
from flax import linen as nn
from model import cross_entropy, linen
from table import ints


class Lstm(nn.Module):
    @nn.compact
    def __call__(self, tokens, lengths):
        x = nn.Embed(30, 32)(tokens)
        forward, backward = nn.RNN(nn.OptimizedLSTMCell(32)), nn.RNN(nn.LSTMCell(32))
        x = nn.Bidirectional(forward, backward)(x, seq_lengths=lengths)
        last = jnp.take_along_axis(x, (lengths - 1)[:, None, None], axis=1)[:, 0]
        return nn.Dense(5)(last)


table = linen(
    "LSTM",
    Lstm(),
    (ints(3, 7, low=0, high=29), ints(3, low=2, high=7)),
    cross_entropy,
    labels=(ints(3, low=0, high=4),),
)
