"""Flax models as rows: parameters are inputs, drawn at the size their initializers would give."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from table import Array, Table


def weights(leaf):
    """Evenly drawn, of variance 1 over the inputs of a unit; vectors (biases, scales) about 0.5."""
    if not jnp.issubdtype(leaf.dtype, jnp.floating):
        raise TypeError(f"a parameter of type {leaf.dtype}")
    if len(leaf.shape) < 2:
        return Array(leaf.shape, "f32", 0.2, 0.8)
    bound = (3 / np.prod(leaf.shape[:-1])) ** 0.5
    return Array(leaf.shape, "f32", -bound, bound)


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, logits.shape[-1]), -1))


def struct(a):
    dtypes = {"f32": jnp.float32, "i32": jnp.int32, "u32": jnp.uint32, "bf16": jnp.bfloat16}
    return jax.ShapeDtypeStruct(a.shape, dtypes[a.dtype])


def add(name, tree, apply, loss, args, tol):
    """A row: `apply(tree, *args)` forward; gradient of `loss(tree, *args)` with respect to the tree."""
    leaves, shape = jax.tree.flatten(tree)
    table = Table("models", tol=tol, grad_tol=tol)

    def forward(*all):
        return apply(jax.tree.unflatten(shape, all[len(args) :]), *all[: len(args)])

    def gradient(*all):
        return jax.value_and_grad(loss)(jax.tree.unflatten(shape, all[len(args) :]), *all[: len(args)])

    table(name, *args, *map(weights, leaves), fn=forward, gradient=gradient)
    return table


def linen(name, model, args, loss, *, labels=(), rngs=(), tol="model", **options):
    """`loss(result, *labels)`; `rngs` names the generators that `model` draws from."""

    def apply(variables, *inputs):
        keys = {r: jax.random.PRNGKey(i) for i, r in enumerate(rngs)}
        mutable = [k for k in variables if k != "params"]
        out = model.apply(variables, *inputs[: len(args)], rngs=keys, mutable=mutable or False, **options)
        return out

    def objective(params, rest, *inputs):
        out = apply({"params": params, **rest}, *inputs)
        return loss(out[0] if rest else out, *inputs[len(args) :])

    keys = {r: jax.random.PRNGKey(0) for r in ("params", *rngs)}
    tree = jax.eval_shape(lambda *a: model.init(keys, *a, **options), *map(struct, args))
    tree = dict(tree)
    return add(
        name,
        tree,
        apply,
        lambda t, *a: objective(t["params"], {k: v for k, v in t.items() if k != "params"}, *a),
        (*args, *labels),
        tol,
    )


def nnx_model(name, make, args, loss, *, labels=(), tol="model"):
    """The same of a model of flax.nnx; `make(rngs)` builds it."""
    graph, state = nnx.split(nnx.eval_shape(lambda: make(nnx.Rngs(0))))

    def apply(state, *inputs):
        return nnx.merge(graph, state)(*inputs[: len(args)])

    return add(name, state, apply, lambda s, *a: loss(apply(s, *a), *a[len(args) :]), (*args, *labels), tol)
