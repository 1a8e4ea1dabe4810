"""The convolutional network of flax's MNIST example."""

from flax import linen as nn
from model import cross_entropy, linen
from table import ints, of


class Cnn(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = nn.relu(nn.Conv(16, (3, 3))(x))
        x = nn.max_pool(x, (2, 2), strides=(2, 2))
        x = x.reshape(x.shape[0], -1)
        x = nn.relu(nn.Dense(32)(x))
        return nn.Dense(10)(x)


table = linen("CNN", Cnn(), (of("f32", 2, 16, 16, 1),), cross_entropy, labels=(ints(2, low=0, high=9),))
