"""jnp.linalg, jax.scipy.linalg, lax.linalg and jax.scipy.sparse.linalg.

Factors that are not unique are compared by what they multiply to.
"""

import jax
import jax.numpy as jnp
import jax.experimental.sparse
import jax.scipy.linalg as sl
import jax.scipy.sparse.linalg
from jax._src.lax import linalg as ll
from table import Table, hermitian, ints, pos, regular, spd, triangle, x

table = row = Table("linalg", tol="linalg", grad_tol="linalg")
T = ("f32", "f64", "c64", "c128")
R = ("f32", "f64")
L, S, X = "jnp.linalg.", "jax.scipy.linalg.", "lax.linalg."


def h(a):
    return jnp.conj(jnp.swapaxes(a, -1, -2))


def gram(q):
    return h(q) @ q


row(L + "cholesky", spd(2, 4, 4), dtypes=T)
row(L + "cholesky", spd(4, 4), upper=True)
row(L + "det", regular(2, 4, 4), dtypes=T)
row(L + "det", regular(3, 3))
row(L + "slogdet", regular(2, 4, 4), dtypes=("f32", "c64"))
row(L + "inv", regular(2, 4, 4), dtypes=T)
row(L + "solve", regular(2, 4, 4), x(2, 4, 3), dtypes=T)
row(L + "lstsq", regular(6, 4), x(6, 2), fn=lambda a, b: jnp.linalg.lstsq(a, b)[0], dtypes=R)
row(L + "pinv", regular(6, 4), dtypes=T)
row(L + "matrix_power", regular(3, 3), 3)
row(L + "matrix_power", regular(3, 3), -2)
row(L + "matrix_rank", regular(5, 4))
row(L + "cond", regular(4, 4))
for o in ("fro", "nuc", 2, 1):
    row(L + "matrix_norm", regular(4, 5), ord=o)
row(L + "norm", x(4, 5), axis=1)
row(L + "norm", x(7), ord=3)
row(L + "vector_norm", x(4, 5))
row(L + "multi_dot", x(3, 4), x(4, 5), x(5, 2), fn=lambda *a: jnp.linalg.multi_dot(a))
row(L + "cross", x(4, 3), x(4, 3))
row(L + "outer", x(4), x(3))
row(L + "diagonal", x(4, 4), tol="exact")
row(L + "trace", x(4, 4))
row(L + "tensordot", x(2, 3, 4), x(3, 4, 2))
row(L + "matmul", x(3, 4), x(4, 2))
row(L + "vecdot", x(3, 4), x(3, 4))
row(L + "tensorinv", regular(6, 6), fn=lambda a: jnp.linalg.tensorinv(a.reshape(2, 3, 6), 2))
row(L + "tensorsolve", regular(6, 6), x(6), fn=lambda a, b: jnp.linalg.tensorsolve(a.reshape(2, 3, 6), b.reshape(2, 3)))
row(L + "qr", regular(2, 5, 3), fn=lambda a: (lambda q, r: (q @ r, gram(q), jnp.abs(r)))(*jnp.linalg.qr(a)), dtypes=T)
row(L + "qr", regular(3, 5), fn=lambda a: jnp.linalg.qr(a, mode="r"), grad="no", why="none for wide matrices")
row(
    L + "qr",
    regular(5, 3),
    fn=lambda a: (lambda q, r: (q @ r, gram(q)))(*jnp.linalg.qr(a, mode="complete")),
    grad="no",
    why="none for complete factors",
)
row(
    L + "svd",
    regular(5, 3),
    fn=lambda a: (lambda u, s, v: ((u * s) @ v, s, gram(u)))(*jnp.linalg.svd(a, full_matrices=False)),
    dtypes=T,
)
row(
    L + "svd",
    regular(3, 5),
    fn=lambda a: (lambda u, s, v: ((u * s) @ v[:3], s, gram(u)))(*jnp.linalg.svd(a)),
    grad="no",
    why="none for full factors",
)
row(L + "svdvals", regular(2, 5, 3), dtypes=R)
row(
    L + "eigh",
    hermitian(2, 4, 4),
    fn=lambda a: (lambda w, v: ((v * w[..., None, :]) @ h(v), w, gram(v)))(*jnp.linalg.eigh(a)),
    dtypes=T,
)
row(L + "eigvalsh", hermitian(4, 4), dtypes=T)
row(
    L + "eig",
    hermitian(4, 4),
    fn=lambda a: (lambda w, v: (a + (a @ v - v * w), jnp.sort(w.real), jnp.sum(jnp.abs(v) ** 2, 0)))(
        *jnp.linalg.eig(a)
    ),
    dtypes=T,
    grad="no",
    why="depends on the length and phase of vectors, which are free",
)
row(L + "eigvals", regular(4, 4), fn=lambda a: jnp.sum(jnp.linalg.eigvals(a) ** 2), dtypes=R)
row("jnp.roots", x(5), fn=lambda p: jnp.sum(jnp.roots(p.at[0].set(2), strip_zeros=False) ** 2))

row(S + "cholesky", spd(4, 4), lower=True, dtypes=T)
row(S + "cho_factor", spd(4, 4), fn=lambda a: jnp.triu(sl.cho_factor(a)[0]))
row(S + "cho_solve", spd(4, 4), x(4, 2), fn=lambda a, b: sl.cho_solve(sl.cho_factor(a), b), dtypes=T)
row(S + "det", regular(4, 4))
row(S + "inv", regular(4, 4))
row(S + "solve", spd(4, 4), x(4, 2), assume_a="pos")
row(S + "solve_triangular", triangle(4, 4, lower=False), x(4, 2), dtypes=T)
row(S + "solve_triangular", triangle(4, 4), x(4, 2), lower=True, trans=1)
row(S + "lu", regular(4, 4), dtypes=T)
row(S + "lu_factor", regular(4, 4), dtypes=R)
row(S + "lu_solve", regular(4, 4), x(4, 2), fn=lambda a, b: sl.lu_solve(sl.lu_factor(a), b))
row(S + "qr", regular(5, 3), fn=lambda a: (lambda q, r: (q @ r, gram(q)))(*sl.qr(a, mode="economic")))
row(
    S + "qr",
    x(5, 3),
    fn=lambda a: (lambda q, r, p: (q @ r, gram(q), jnp.abs(r), p))(*sl.qr(a, mode="economic", pivoting=True)),
    dtypes=T,
    grad="no",
    why="no rule in JAX",
)
row(
    S + "qr_multiply",
    regular(5, 3),
    x(5, 2),
    fn=lambda a, c: sl.qr_multiply(a, c.T)[0],
    grad="no",
    why="no rule in JAX",
)
row(S + "svd", regular(4, 3), compute_uv=False)
row(S + "eigh", hermitian(4, 4), eigvals_only=True)
row(S + "eigh_tridiagonal", x(6), pos(5), eigvals_only=True, grad="no", why="no rule in JAX")
row(S + "expm", unit_matrix := x(4, 4, low=-0.5, high=0.5), dtypes=R)
row(S + "expm_frechet", unit_matrix, unit_matrix)
row(S + "sqrtm", spd(4, 4), grad="no", why="no rule in JAX", dtypes=R)
row(S + "funm", spd(3, 3), jnp.sin, grad="no", why="no rule in JAX", disp=True)
row(
    S + "schur",
    regular(4, 4),
    fn=lambda a: (lambda t, z: (z @ t @ h(z), gram(z)))(*sl.schur(a)),
    grad="no",
    why="no rule in JAX",
    dtypes=T,
)
row(
    S + "rsf2csf",
    regular(4, 4),
    fn=lambda a: (lambda t, z: (z @ t @ h(z), gram(z)))(*sl.rsf2csf(*sl.schur(a))),
    grad="no",
    why="no rule in JAX",
)
row(
    S + "hessenberg",
    regular(4, 4),
    fn=lambda a: (lambda t, q: (q @ t @ h(q), gram(q), jnp.abs(t)))(*sl.hessenberg(a, calc_q=True)),
    grad="no",
    why="no rule in JAX",
    dtypes=T,
)
row(S + "polar", regular(4, 4), method="svd")
row(S + "polar", regular(4, 4), method="qdwh", grad="no", why="no rule in JAX for its loop")
row(S + "solve_sylvester", regular(3, 3), regular(4, 4), x(3, 4), grad="no", why="no rule in JAX")
row(S + "block_diag", x(2, 3), x(3, 2), tol="exact")
for name in "circulant toeplitz hankel fiedler".split():
    row(S + name, x(5), tol="exact" if name != "fiedler" else "linalg")
row(S + "companion", pos(5))
row(S + "fiedler_companion", pos(5))
row(S + "convolution_matrix", x(4), 5, tol="exact")
row(S + "leslie", pos(4), pos(3), tol="exact")
for name in "hilbert invhilbert pascal invpascal helmert hadamard dft".split():
    row(S + name, 4)

row(X + "cholesky", spd(4, 4), dtypes=T)
row(
    X + "cholesky_update",
    spd(4, 4),
    x(4),
    fn=lambda a, v: jax.lax.linalg.cholesky_update(jnp.linalg.cholesky(a).T, v),
    dtypes=R,
    grad="no",
    why="no rule in JAX",
)
row(X + "triangular_solve", triangle(2, 4, 4), x(2, 4, 3), left_side=True, lower=True, dtypes=T)
row(X + "triangular_solve", triangle(4, 4), x(3, 4), lower=True, transpose_a=True, conjugate_a=True, dtypes=("c64",))
row(X + "lu", regular(2, 4, 4), dtypes=T)
row(X + "lu_pivots_to_permutation", ints(2, 4, low=3, high=3), 6)
row(X + "qr", regular(5, 3), fn=lambda a: (lambda q, r: q @ r)(*jax.lax.linalg.qr(a, full_matrices=False)))
row(X + "svd", regular(4, 3), compute_uv=False)
row(X + "eigh", hermitian(4, 4), fn=lambda a: jax.lax.linalg.eigh(a)[1])
row(
    X + "eig",
    regular(4, 4),
    fn=lambda a: jnp.sum(jax.lax.linalg.eig(a)[0] ** 2),
    dtypes=("f32", "c64"),
    grad="no",
    why="only of values alone",
)
row(
    X + "schur",
    regular(4, 4),
    fn=lambda a: (lambda t, z: z @ t @ h(z))(*jax.lax.linalg.schur(a)),
    grad="no",
    why="no rule in JAX",
)
row(
    X + "hessenberg",
    regular(4, 4),
    fn=lambda a: jnp.abs(jnp.triu(jax.lax.linalg.hessenberg(a)[0], -1)),
    grad="no",
    why="no rule in JAX",
)
row(
    X + "householder_product",
    regular(5, 3),
    fn=lambda a: jax.lax.linalg.householder_product(*ll.geqrf(a)),
    grad="no",
    why="no rule in JAX",
    dtypes=T,
)
row(
    "jax._src.lax.linalg.geqp3",
    x(5, 3),
    fn=lambda a: ll.geqp3(a, jnp.zeros(3, "int32"))[1],
    grad="no",
    why="no rule in JAX",
)
row(
    "jax._src.lax.linalg.ormqr",
    regular(5, 3),
    x(5, 2),
    fn=lambda a, c: ll.ormqr(*ll.geqrf(a), c),
    grad="no",
    why="no rule in JAX",
    dtypes=T,
)
row(X + "symmetric_product", x(4, 3), spd(4, 4), dtypes=R, grad="no", why="no rule in JAX")
row(
    X + "tridiagonal",
    spd(4, 4),
    fn=lambda a: jax.lax.linalg.tridiagonal(a)[1],
    grad="no",
    why="no rule in JAX",
    dtypes=T,
)
row(
    X + "tridiagonal_solve",
    pos(5),
    pos(5, low=5, high=9),
    pos(5),
    x(5, 2),
    fn=lambda l, d, u, b: jax.lax.linalg.tridiagonal_solve(l.at[0].set(0), d, u.at[-1].set(0), b),
    dtypes=T,
)
row(X + "qdwh", regular(4, 4), fn=lambda a: jax.lax.linalg.qdwh(a)[:2], grad="no", why="no rule in JAX")

for name in "cg bicgstab gmres".split():
    row(
        f"jax.scipy.sparse.linalg.{name}",
        spd(5, 5),
        x(5),
        fn=lambda a, b, n=name: getattr(jax.scipy.sparse.linalg, n)(a, b, tol=1e-6)[0],
    )
row(
    "jax.experimental.sparse.BCOO",
    x(4, 5),
    x(5, 3),
    fn=lambda a, b: jax.experimental.sparse.BCOO.fromdense(a, nse=20) @ b,
)
row(
    "jax.experimental.sparse.BCOO",
    x(4, 5),
    x(5),
    fn=lambda a, b: jax.experimental.sparse.bcoo_dot_general(
        jax.experimental.sparse.BCOO.fromdense(a, nse=20), b, dimension_numbers=(((1,), (0,)), ((), ()))
    ),
)
