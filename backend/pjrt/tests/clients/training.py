"""A perceptron and a small transformer in flax, trained with optax: as on the CPU, on one chip and on four.

env: TPUSIM_NUMERICS=tpu TPUSIM_TOPOLOGY=v5e:2x2
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from check import CPU, devices
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

tpu = devices(4)
rng = np.random.default_rng(0)


class Perceptron(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(64)(x))
        x = nn.relu(nn.Dense(64)(x))
        return nn.Dense(4)(x)


class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(32, 32)(tokens)
        x = x + self.param("position", nn.initializers.normal(0.02), (16, 32))
        mask = nn.make_causal_mask(tokens)
        for _ in range(2):
            x = x + nn.SelfAttention(num_heads=2)(nn.LayerNorm()(x), mask)
            x = x + nn.Dense(32)(nn.gelu(nn.Dense(64)(nn.LayerNorm()(x))))
        return nn.Dense(32)(nn.LayerNorm()(x))


def perceptron_batches(n):
    centers = rng.standard_normal((4, 8)).astype(np.float32)
    for _ in range(n):
        labels = rng.integers(0, 4, 32)
        yield centers[labels] + 0.3 * rng.standard_normal((32, 8)).astype(np.float32), labels.astype(np.int32)


def transformer_batches(n):
    for _ in range(n):
        start, step = rng.integers(0, 32, (8, 1)), rng.integers(1, 4, (8, 1))
        tokens = (start + step * np.arange(17)) % 32
        yield tokens[:, :-1].astype(np.int32), tokens[:, 1:].astype(np.int32)


def train(model, batches, place):
    optimizer = optax.adam(3e-3)

    def loss(params, x, y):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(params, x), y).mean()

    @jax.jit
    def step(params, state, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, value

    whole, batch = place
    with jax.default_device(CPU):
        params = model.init(jax.random.key(0), batches[0][0])
    params = jax.device_put(params, whole)
    state = jax.device_put(optimizer.init(params), whole)
    losses = []
    for x, y in batches:
        params, state, value = step(params, state, jax.device_put(x, batch), jax.device_put(y, batch))
        losses.append(value)
    return [float(v) for v in losses]


mesh = Mesh(np.array(tpu), ("data",))
places = {
    "one chip": (tpu[0], tpu[0]),
    "four chips": (NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))),
}
for model, make in [(Perceptron(), perceptron_batches), (Transformer(), transformer_batches)]:
    batches = list(make(200))
    want = train(model, batches, (CPU, CPU))
    for name, place in places.items():
        got = train(model, batches, place)
        a, b = np.mean(got[-20:]), np.mean(want[-20:])
        print(f"{type(model).__name__} on {name}: {got[0]:.4f} -> {a:.4f}, the CPU {want[0]:.4f} -> {b:.4f}")
        assert abs(a - b) < 1e-2 and a < 0.5 * got[0], (a, b)
print("ok")
