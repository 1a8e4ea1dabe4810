"""Writes the golden programs beside it: python make.py (needs JAX; the values come from the table
in shared/golden/README.md, which names where each was printed by a real TPU)."""
import pathlib
import re

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_threefry_partitionable", False)
HERE = pathlib.Path(__file__).parent


def dense(x):
    x = np.asarray(x)
    hexed = "0x" + x.tobytes().hex().upper()
    shape = "x".join([*(str(n) for n in x.shape), {"float32": "f32", "float64": "f64", "int32": "i32"}[str(x.dtype)]])
    return f'dense<"{hexed}"> : tensor<{shape}>'


def write(name, source, fn, expected, tolerance=None):
    """A module whose @main calls the program and checks its results to the bit."""
    lowered = jax.jit(fn).lower().as_text()
    body = re.sub(r"func\.func public @main", "func.func private @program", lowered)
    body = re.sub(r" \{jax\.result_info = [^}]*\}", "", body)
    expected = [np.asarray(e) for e in expected]
    types = [re.search(r"tensor<.*>", dense(e).split(" : ")[1]).group(0) for e in expected]
    calls = f"    %r:{len(expected)} = call @program() : () -> ({', '.join(types)})\n"
    if tolerance is None:
        checks = [f"    check.expect_eq_const %r#{i}, {dense(e)}\n" for i, e in enumerate(expected)]
    else:
        checks = [
            f'    "check.expect_almost_eq_const"(%r#{i}) <{{value = {dense(e)}, tolerance = {tolerance:.2e} : f64}}> '
            f": ({t}) -> ()\n"
            for i, (e, t) in enumerate(zip(expected, types))
        ]
    checks = "".join(checks)
    main = f"  func.func public @main() {{\n{calls}{checks}    return\n  }}\n"
    at = body.index("\n") + 1
    (HERE / f"{name}.mlir").write_text(f"// {source}\n" + body[:at] + main + body[at:])


f32 = np.float32

write(
    "jax9973_dot2x2",
    "jax-ml/jax#9973: operands rounded to bf16, f32 sums",
    lambda: (jnp.dot(jnp.array([[0.3744, 0.1656], [0.4707, 0.1663]], f32),
                     jnp.array([[0.3946, 0.1186], [0.1569, 0.3145]], f32)),),
    [f32([[0.17405128, 0.09669876], [0.21180916, 0.10805416]])],
)


def matmul():
    k, a, b = jax.random.split(jax.random.PRNGKey(0), 3)
    x = jax.random.normal(a, (1, 2, 4))
    w = jax.random.normal(b, (4, 2))
    return (jax.lax.dot_general(x, w, (((2,), (0,)), ((), ()))),)


write("jax16349_matmul", "jax-ml/jax#16349: TPU v3-8", matmul,
      [f32([[[0.31184387, 5.3089447], [0.5985794, 3.6086464]]])])


def einsum():
    x = jnp.arange(40.0).reshape(4, 1, 10)
    y = jnp.arange(320.0).reshape(8, 10, 4)
    return (jnp.einsum("btd,adr->brta", x, y),)


# The issue prints counts and the first row; integers above 256 round to bf16, sums are exact.
def bf16(x):
    return np.asarray(jnp.asarray(x, jnp.bfloat16).astype(jnp.float32))


x = bf16(np.arange(40.0, dtype=f32).reshape(4, 1, 10))
y = bf16(np.arange(320.0, dtype=f32).reshape(8, 10, 4))
rounded = np.einsum("btd,adr->brta", x.astype(np.float64), y.astype(np.float64)).astype(f32)
exact = np.einsum("btd,adr->brta", np.arange(40.0).reshape(4, 1, 10), np.arange(320.0).reshape(8, 10, 4))
assert (rounded != exact).sum() == 16 and np.abs(rounded - exact).max() == 345, "the printed counts"
assert [int(v) for v in rounded.ravel()[:8]] == [1140, 2940, 4740, 6540, 8340, 10140, 11940, 13740]
write("jax23159_einsum_int", "jax-ml/jax#23159", einsum, [rounded])

UNIFORM = """0.72503686 1.8532515 2.983416 3.083253 4.0332246 5.4782867 6.1720605 7.6900277 8.602836
9.810046 10.861367 11.907651 12.330483 13.456195 14.808557 15.960099 16.067581 17.739723 18.335474
19.46401 20.390276 21.116539 22.858128 23.223194"""
write(
    "jaxdocs_distributed_uniform",
    "jax-ml/jax docs/notebooks/Distributed_arrays_and_automatic_parallelization.ipynb",
    lambda: (jnp.arange(24) + jax.random.uniform(jax.random.PRNGKey(42), (24,)),),
    [f32(UNIFORM.split())],
)


def tie(precision):
    def f():
        d = jnp.zeros(1024, f32).at[0].set(1.00390625)
        m = jnp.diag(d)
        return (jnp.matmul(m, m, precision=precision)[0, 0],)

    return f


write("torchxla_precision_default", "pytorch/xla precision tutorial: 1 + 2^-8 is a tie, to even",
      tie("default"), [f32(1.0)])
write("torchxla_precision_highest", "pytorch/xla precision tutorial: six bf16 passes",
      tie("highest"), [f32(1.0078277587890625)])
write("torchxla_precision_1p2", "pytorch/xla: 1.2 * 1.2 at highest precision, hi*hi added last",
      lambda: (jnp.dot(jnp.full((8, 8), 0, f32).at[0, 0].set(1.2),
                       jnp.full((8, 8), 0, f32).at[0, 0].set(1.2), precision="highest")[0, 0],),
      [f32(1.4400001764297485)])
write("jax_reduce_window_cumsum", "jax-ml/jax tpu_stablehlo_dynamic_reduce_window.py",
      lambda: (jnp.cumsum(jnp.arange(12.0, dtype=f32).reshape(3, 4), axis=0),),
      [f32([[0, 1, 2, 3], [4, 6, 8, 10], [12, 15, 18, 21]])])
write("jax6042_zero_pow_zero", "jax-ml/jax#6042, as fixed: 1",
      lambda: ((lambda z: z**z)(jnp.zeros(3, f32)),), [f32([1, 1, 1])])
write("jax7020_atan2_negative_zero", "jax-ml/jax#7020, as fixed: -pi",
      lambda: (jnp.arctan2(jnp.array(-0.0, f32), jnp.array(-0.0, f32)),), [f32(-3.1415927)])


# What the table gives an error for. The hardware's transcendentals are not public; tpusim rounds
# correctly, and a real TPU is within these bounds of that.
def matvec():
    k, a, b = jax.random.split(jax.random.PRNGKey(0), 3)
    x = jax.random.normal(a, (1, 2, 4))
    w = jax.random.normal(b, (4, 2))
    d = (((2,), (0,)), ((), ()))
    return (jnp.concatenate([jax.lax.dot_general(x[:, 0:1], w, d), jax.lax.dot_general(x[:, 1:2], w, d)], axis=1),)


write("jax16349_matvec", "jax-ml/jax#16349: M = 1, f32 on the VPU; off by up to 2.57e-5", matvec,
      [f32([[[0.31908777, 5.3246055], [0.60039854, 3.6162388]]])], tolerance=2.6e-5)


def sigmoid():
    rng = np.random.default_rng(0)
    x, w, b = rng.normal(size=32), rng.normal(size=(32, 4)), rng.normal(size=4)
    return (jax.nn.sigmoid(jnp.asarray(x, f32) @ jnp.asarray(w, f32) + jnp.asarray(b, f32)),)


write("jaxdocs_sharded_sigmoid", "jax-ml/jax docs/sharded-computation.ipynb: within 4.7e-7", sigmoid,
      [f32([0.02138912, 0.893112, 0.59892005, 0.97742504])], tolerance=4.8e-7)

jax.config.update("jax_enable_x64", True)
write("reactant2497_logistic", "EnzymeAD/Reactant.jl#2497: f64 exp is f32-class, 1.6e-8 relative",
      lambda: (1.0 / (1.0 + jnp.exp(jnp.float64(1.0))),), [np.float64(0.2689414256811684)], tolerance=5e-9)
