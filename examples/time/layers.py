"""The program of layers.v6e.hlo: four layers of a multilayer perceptron, compiled by XLA:TPU ahead of time.

Needs no TPU, but Python 3.12 and `pip install jax==0.12.0.1 libtpu==0.0.52`:  python layers.py > layers.v6e.hlo
"""

import os

os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
os.environ.setdefault("TPU_ACCELERATOR_TYPE", "v6e-1")
os.environ.setdefault("TPU_WORKER_HOSTNAMES", "localhost")
os.environ.setdefault("TPU_WORKER_ID", "0")

import jax
import jax.numpy as jnp
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

jax.config.update("jax_platforms", "cpu")


def layer(x, weights):
    up, down = weights
    return x + jax.nn.gelu(x @ up) @ down, None


def layers(x, up, down):
    x, _ = jax.lax.scan(layer, x, (up, down))
    return x


if __name__ == "__main__":
    device = topologies.get_topology_desc(platform="tpu", topology_name="v6e:1x1").devices[0]
    of = lambda *shape: jax.ShapeDtypeStruct(shape, jnp.bfloat16, sharding=SingleDeviceSharding(device))
    lowered = jax.jit(layers).lower(of(512, 2048), of(4, 2048, 8192), of(4, 8192, 2048))
    print(lowered.compile().as_text())
