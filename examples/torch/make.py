"""Writes the PyTorch examples' inputs and expectations.

The programs are what torch_tpu (PyTorch on a PJRT plugin) handed to its compiler for

    torch.nn.functional.cross_entropy(logits, target)
    torch.nn.functional.layer_norm(x, (16,), weight, bias)     # and the saved mean and rstd

printed as text. The expectations are PyTorch's documented formulas in float64, rounded once.

    .venv/bin/python examples/torch/make.py
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
random = np.random.default_rng(0)


def save(name, inputs, outputs):
    np.savez(HERE / f"{name}.inputs.npz", **{f"arg{i}": a for i, a in enumerate(inputs)})
    np.savez(HERE / f"{name}.expected.npz", **{f"out{i}": a.astype(np.float32) for i, a in enumerate(outputs)})


def cross_entropy(ignore_index=-100):
    logits = random.standard_normal((4, 4)).astype(np.float32)
    target = np.array([1, 3, ignore_index, 0])
    x = logits.astype(np.float64)
    log_p = x - np.log(np.exp(x).sum(1, keepdims=True))
    kept = np.flatnonzero(target != ignore_index)
    save("cross_entropy", (logits, target), (-log_p[kept, target[kept]].mean(),))


def layer_norm(eps=1e-5):
    x = random.standard_normal((4, 16)).astype(np.float32)
    weight, bias = random.standard_normal((2, 16)).astype(np.float32)
    y = x.astype(np.float64)
    mean, rstd = y.mean(1), 1 / np.sqrt(y.var(1) + eps)
    save("layer_norm", (x, weight, bias), ((y - mean[:, None]) * rstd[:, None] * weight + bias, mean, rstd))


cross_entropy()
layer_norm()
