"""Programs of one operation or two that `programs.py` compiles: name, function, arguments, those that are donated."""
import jax
import jax.numpy as jnp
from jax import lax

from models import BF16, F32, I32, convolution, layernorm, spec

I4, I8 = jnp.int4, jnp.int8


def product(x, y):
    return lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=I32)


def branch(which, x):
    return lax.cond(which, lambda x: jnp.tanh(x @ x), lambda x: x + 1, x)


def gradient_of_convolution(x, w):
    return jax.grad(lambda x, w: jnp.sum(jnp.square(convolution(x, w).astype(F32))), (0, 1))(x, w)


def depthwise(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=128)


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def average_pool(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


def normal(key):
    return jax.random.normal(jax.random.wrap_key_data(key), (4096, 4096))


def scan(x, w):
    return lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, w)[0]


def batched(x, y):
    return jnp.einsum("bmk,bkn->bmn", x, y)


square = lambda dtype=F32, n=4096: spec((n, n), dtype)

OPERATIONS = [
    ("op_exp", jnp.exp, [square()], ()),
    ("op_exp_bf16", jnp.exp, [square(BF16)], ()),
    ("op_divide", jnp.divide, [square(), square()], ()),
    ("op_chain", lambda x, y: jnp.tanh(x * y + x) * 2 - y, [square(BF16), square(BF16)], ()),
    ("op_product", jnp.matmul, [square(BF16), square(BF16)], ()),
    ("op_product_f32", jnp.matmul, [square(F32, 2048), square(F32, 2048)], ()),
    ("op_product_gelu", lambda x, w: jax.nn.gelu(x @ w), [square(BF16), square(BF16)], ()),
    ("op_product_thin", jnp.matmul, [spec((8, 8192)), square(BF16, 8192)], ()),
    ("op_product_vector", jnp.matmul, [spec((1, 8192)), square(BF16, 8192)], ()),
    ("op_product_batched", batched, [spec((32, 512, 1024)), spec((32, 1024, 512))], ()),
    ("op_product_i8", product, [square(I8, 1024), square(I8, 1024)], ()),
    ("op_product_i4", product, [square(I4, 1024), square(I4, 1024)], ()),
    ("op_convolution", convolution, [spec((32, 56, 56, 64)), spec((3, 3, 64, 64))], ()),
    ("op_convolution_wide", convolution, [spec((64, 14, 14, 256)), spec((3, 3, 256, 256))], ()),
    ("op_convolution_first", lambda x, w: convolution(x, w, 2), [spec((32, 224, 224, 3)), spec((7, 7, 3, 64))], ()),
    ("op_convolution_grad", gradient_of_convolution, [spec((32, 28, 28, 128)), spec((3, 3, 128, 128))], ()),
    ("op_depthwise", depthwise, [spec((32, 56, 56, 128)), spec((3, 3, 1, 128))], ()),
    ("op_max_pool", max_pool, [spec((32, 112, 112, 64), F32)], ()),
    ("op_average_pool", average_pool, [spec((64, 56, 56, 128), F32)], ()),
    ("op_branch", branch, [spec((), jnp.bool_), square(BF16, 2048)], ()),
    ("op_slice_at", lambda x, i: lax.dynamic_slice(x, (i, 0), (128, 4096)), [spec((8192, 4096)), spec((), I32)], ()),
    ("op_update", lambda x, y, i: lax.dynamic_update_slice(x, y, (i, 0)), [spec((8192, 4096)), spec((128, 4096)), spec((), I32)], ()),
    ("op_update_donated", lambda x, y, i: lax.dynamic_update_slice(x, y, (i, 0)), [spec((8192, 4096)), spec((128, 4096)), spec((), I32)], (0,)),
    ("op_layernorm", layernorm, [spec((8192, 4096), F32), spec((4096,), F32), spec((4096,), F32)], ()),
    ("op_softmax_wide", lambda x: jax.nn.softmax(x, -1), [spec((8192, 4096), F32)], ()),
    ("op_softmax_bf16", lambda x: jax.nn.softmax(x, -1), [spec((8192, 2048))], ()),
    ("op_logsumexp", lambda x: jax.nn.logsumexp(x, -1), [spec((4096, 8192), F32)], ()),
    ("op_pad", lambda x: jnp.pad(x, ((1, 2), (3, 4))), [spec((4096, 500), F32)], ()),
    ("op_reshape", lambda x: x.reshape(8192, 192), [spec((4096, 384), F32)], ()),
    ("op_transpose", jnp.transpose, [spec((4096, 8192), F32)], ()),
    ("op_reverse", lambda x: x[::-1], [square()], ()),
    ("op_normal", normal, [spec((2,), jnp.uint32)], ()),
    ("op_scan", scan, [spec((512, 2048)), spec((16, 2048, 2048))], ()),
    ("op_sort", lambda x: jnp.sort(x, -1), [spec((64, 32_768), F32)], ()),
    ("op_take_along", lambda x, i: jnp.take_along_axis(x, i, 1), [spec((1024, 1000), F32), spec((1024, 8), I32)], ()),
    ("op_take_bf16", lambda t, i: t[i], [spec((32_000, 2048)), spec((4096,), I32)], ()),
    ("op_cumsum_rows", lambda x: jnp.cumsum(x, 0), [square()], ()),
    ("op_triangle", lambda x: jnp.tril(x), [square()], ()),
    ("op_mean_of_all", lambda x: jnp.mean(jnp.square(x)), [square()], ()),
    ("op_reduce_middle", lambda x: x.sum(1), [spec((64, 1024, 1024), F32)], ()),
]
