"""What a table of the sweep is made of: rows, and the arrays their functions take.

    row("jnp.arctan2", x(3, 5), x(3, 5), dtypes=("f32", "f64"))
    row("jnp.sum", x(3, 4), axis=1)
    row("jax.nn.softmax", x(4, 5), tol="sum")

The name says which function is called, unless `fn` is given. Arrays are inputs of the exported
program; everything else is a static argument. A row is tried once for each of `dtypes`, which `x` and
its relatives take as their element type. The gradient is taken of every floating-point input and of
every floating-point output, unless `grad` says "no" (with a reason in `why`) or lists the inputs, or
`gradient` is a function that gives it.
"""

import dataclasses
import importlib

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

DTYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
    "bool": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
}

FLOATS = ("f32", "bf16", "f16", "f64")
COMPLEX = ("f32", "c64", "f64", "c128")
INTS = ("i32", "u8", "i64")
NUMBERS = ("f32", "bf16", "c64", "i32", "f64")


@dataclasses.dataclass(frozen=True)
class Array:
    """An input. `dtype` None: the row's. `make` turns numbers drawn evenly from [low, high] into it."""

    shape: tuple
    dtype: str | None = None
    low: float = -2.0
    high: float = 2.0
    make: callable = None

    def draw(self, rng, row_dtype):
        dtype = np.dtype(DTYPES[self.dtype or row_dtype])
        if dtype == np.bool_:
            a = rng.integers(0, 2, self.shape)
        elif dtype.kind in "iu":
            low = 0 if dtype.kind == "u" and self.low < 0 else int(np.floor(self.low))
            a = rng.integers(low, int(np.ceil(self.high)) + 1, self.shape)
        elif dtype.kind == "c":
            a = rng.uniform(self.low, self.high, self.shape) + 1j * rng.uniform(self.low, self.high, self.shape)
        else:
            a = rng.uniform(self.low, self.high, self.shape)
        a = np.asarray(a)
        with np.errstate(over="ignore"):  # Some edges are infinite in f16.
            return (self.make(a) if self.make else a).astype(dtype)


def x(*shape, low=-2.0, high=2.0, make=None):
    """An array of the row's type."""
    return Array(shape, None, low, high, make)


def pos(*shape, low=0.1, high=3.0):
    return Array(shape, None, low, high)


def unit(*shape):
    return Array(shape, None, -0.9, 0.9)


def prob(*shape):
    return Array(shape, None, 0.05, 0.95)


def ints(*shape, low=-5, high=10, dtype="i32"):
    return Array(shape, dtype, low, high)


def bools(*shape):
    return Array(shape, "bool")


def of(dtype, *shape, low=-2.0, high=2.0, make=None):
    return Array(shape, dtype, low, high, make)


def key():
    """A key of JAX's default generator."""
    return Array((2,), "u32", 0, 2**31)


def distinct(*shape):
    """No two elements alike, in random order: what sorting takes."""
    return Array(shape, None, 0, 1, lambda a: (np.argsort(a, axis=None).reshape(a.shape) - a.size // 2) / 2)


def rising(*shape, low=-2.0, high=2.0):
    """Sorted along the last dimension."""
    return Array(shape, None, low, high, lambda a: np.sort(a, axis=-1))


def _adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def spd(*shape):
    """Hermitian positive definite matrices, well conditioned."""
    n = shape[-1]
    return Array(shape, None, -1, 1, lambda a: a @ _adjoint(a) + n * np.eye(n))


def hermitian(*shape):
    """Hermitian matrices whose eigenvalues lie apart."""
    n = shape[-1]
    return Array(shape, None, -1, 1, lambda a: (a + _adjoint(a)) / 2 + np.diag(np.arange(n) * 2.0))


def regular(*shape):
    """Matrices far from singular."""
    n = min(shape[-2:])
    return Array(shape, None, -1, 1, lambda a: a + n * np.eye(*shape[-2:]))


def triangle(*shape, lower=True):
    n = shape[-1]
    f = np.tril if lower else np.triu
    return Array(shape, None, -1, 1, lambda a: f(a) + n * np.eye(n))


@dataclasses.dataclass
class Row:
    family: str
    name: str
    fn: callable
    args: tuple
    dtypes: tuple
    grad: object
    tol: str | None
    grad_tol: str | None
    why: str
    kwargs: dict
    gradient: callable = None


ROOTS = {"jnp": jnp, "jax": jax, "lax": jax.lax}


def resolve(name):
    root, *path = name.split(".")
    at = ROOTS[root]
    for i, part in enumerate(path):
        if not hasattr(at, part) and hasattr(at, "__path__"):
            importlib.import_module(".".join([at.__name__, part]))
        at = getattr(at, part)
    return at


class Table:
    """The rows of one family. `tol` is its tolerance class where a row says nothing else."""

    def __init__(self, family, tol, grad_tol="sum"):
        self.family, self.tol, self.grad_tol, self.rows = family, tol, grad_tol, []

    def __call__(
        self,
        name,
        *args,
        fn=None,
        dtypes=("f32",),
        grad="yes",
        tol=None,
        grad_tol=None,
        why="",
        gradient=None,
        **kwargs,
    ):
        self.rows.append(
            Row(
                self.family,
                name,
                fn or resolve(name),
                args,
                tuple(dtypes),
                grad,
                tol or self.tol,
                grad_tol or self.grad_tol,
                why,
                kwargs,
                gradient,
            )
        )
