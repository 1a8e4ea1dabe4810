"""Products of matrices, convolutions, Fourier transforms, signals and images."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import jax.scipy.interpolate
import jax.scipy.spatial.transform
from table import Table, pos, x

table = row = Table("contractions", tol="sum")
T = ("f32", "bf16", "f16", "f64", "c64", "i32")

for name in "dot matmul".split():
    row(f"jnp.{name}", x(4, 6), x(6, 5), dtypes=T)
    row(f"jnp.{name}", x(4, 6), x(6))
row("jnp.matmul", x(2, 1, 4, 6), x(3, 6, 5))
for name in "vdot inner outer".split():
    row(f"jnp.{name}", x(6), x(6), dtypes=("f32", "c64", "i32"))
row("jnp.vecdot", x(4, 6), x(4, 6), dtypes=("f32", "c64"))
row("jnp.matvec", x(4, 6), x(6))
row("jnp.vecmat", x(4), x(4, 6))
row("jnp.tensordot", x(2, 3, 4), x(3, 4, 5), axes=2)
row("jnp.kron", x(2, 3), x(3, 2))
row("jnp.cross", x(4, 3), x(4, 3))
row("jnp.einsum", "bij,bjk->bik", x(2, 3, 4), x(2, 4, 5), dtypes=("f32", "bf16"))
row("jnp.einsum", "ii->i", x(4, 4))
row("jnp.einsum", "bhqd,bhkd,bk->bhq", x(2, 2, 3, 4), x(2, 2, 5, 4), x(2, 5))
for name in "convolve correlate".split():
    row(f"jnp.{name}", x(9), x(4), dtypes=("f32", "c64"))
    row(f"jnp.{name}", x(9), x(4), mode="same")
row("jnp.polymul", x(4), x(5))
row("jnp.polyadd", x(4), x(5))
row("jnp.polysub", x(4), x(5))
row("jnp.polyder", x(5))
row("jnp.polyint", x(5))
row("jnp.polydiv", x(6), pos(3))
row("jnp.polyfit", x(9), x(9), 2)
row("jnp.poly", x(4))

row("lax.dot", x(4, 6), x(6, 5), dtypes=T)
row("lax.batch_matmul", x(2, 4, 6), x(2, 6, 5))
row(
    "lax.dot_general",
    x(3, 4, 6),
    x(6, 5, 3),
    dimension_numbers=(((2,), (0,)), ((0,), (2,))),
    dtypes=("f32", "bf16", "i32"),
)
row(
    "lax.dot_general",
    x(4, 6),
    x(6, 5),
    dtypes=("bf16", "f16"),
    dimension_numbers=(((1,), (0,)), ((), ())),
    preferred_element_type=jnp.float32,
)
row("lax.ragged_dot", x(7, 4), x(3, 4, 5), fn=lambda a, b: jax.lax.ragged_dot(a, b, jnp.array([2, 4, 1], jnp.int32)))
row("lax.conv", x(2, 3, 8, 8), x(4, 3, 3, 3), (1, 1), "SAME", dtypes=("f32", "bf16", "f64"))
row("lax.conv_with_general_padding", x(2, 3, 8, 8), x(4, 3, 3, 3), (2, 1), ((1, 1), (0, 2)), (1, 2), (2, 1))
row(
    "lax.conv_general_dilated",
    x(2, 8, 8, 4),
    x(3, 3, 2, 6),
    (1, 2),
    "VALID",
    dimension_numbers=("NHWC", "HWIO", "NHWC"),
    feature_group_count=2,
)
row(
    "lax.conv_general_dilated",
    x(4, 8, 3),
    x(3, 3, 4),
    (1,),
    "SAME",
    dimension_numbers=("NWC", "WIO", "NWC"),
    batch_group_count=2,
)
row(
    "lax.conv_general_dilated_local",
    x(1, 2, 6),
    x(3, 6, 4),
    (1,),
    "VALID",
    (3,),
    fn=lambda a, k, s, p, f: jax.lax.conv_general_dilated_local(a, k, s, p, f),
)
row("lax.conv_general_dilated_patches", x(1, 2, 6, 6), (3, 3), (1, 1), "SAME")
row("lax.conv_transpose", x(2, 5, 5, 3), x(3, 3, 3, 4), (2, 2), "SAME")

F = "jnp.fft."
for name in "fft ifft".split():
    row(F + name, x(3, 8), dtypes=("c64", "f32", "c128"))
    row(F + name, x(7), dtypes=("c64",))
for name in "fft2 ifft2 fftn ifftn".split():
    row(F + name, x(4, 6), dtypes=("c64",))
for name in "rfft ihfft".split():
    row(F + name, x(3, 8), dtypes=("f32", "f64"))
    row(F + name, x(9))
for name in "rfft2 rfftn".split():
    row(F + name, x(4, 6))
for name in "irfft hfft irfft2 irfftn".split():
    row(F + name, x(4, 5), dtypes=("c64",))
for name in "fftshift ifftshift".split():
    row(F + name, x(3, 5), tol="exact")
row(F + "fftfreq", 8)
row(F + "rfftfreq", 8)
row("lax.fft", x(3, 8), "FFT", (8,), dtypes=("c64",))
for name in "dct idct dctn idctn".split():
    row(f"jax.scipy.fft.{name}", x(4, 6))

G = "jax.scipy.signal."
for name in "convolve correlate fftconvolve".split():
    row(G + name, x(9), x(4), mode="same")
for name in "convolve2d correlate2d".split():
    row(G + name, x(5, 6), x(3, 2), mode="same")
row(G + "detrend", x(3, 12))
row(G + "stft", x(64), nperseg=16)
row(G + "istft", x(9, 9), nperseg=16, dtypes=("c64",))
row(G + "welch", x(64), nperseg=16)
row(G + "csd", x(64), x(64), nperseg=16)

row(
    "jax.scipy.ndimage.map_coordinates",
    x(5, 6),
    x(2, 4, low=0.2, high=3.8),
    1,
    fn=lambda a, c, o: jsp.ndimage.map_coordinates(a, list(c), o),
)
for method in "nearest linear cubic lanczos3".split():
    row("jax.image.resize", x(5, 6), (8, 3), method)
row(
    "jax.image.scale_and_translate", x(6, 6), (5, 7), (0, 1), pos(2), x(2, low=-0.5, high=0.5), "linear", antialias=True
)
row(
    "jax.scipy.interpolate.RegularGridInterpolator",
    x(4, 5),
    x(6, 2, low=0.2, high=2.8),
    fn=lambda v, p: jsp.interpolate.RegularGridInterpolator((jnp.arange(4.0), jnp.arange(5.0)), v)(p),
)
row("jax.scipy.cluster.vq.vq", x(9, 3), x(4, 3))
row(
    "jax.scipy.spatial.transform.Rotation.from_quat",
    x(4),
    x(3),
    fn=lambda q, v: jsp.spatial.transform.Rotation.from_quat(q).apply(v),
)
row(
    "jax.scipy.spatial.transform.Rotation.as_matrix",
    x(4),
    fn=lambda q: jsp.spatial.transform.Rotation.from_quat(q).as_matrix(),
)
row(
    "jax.scipy.spatial.transform.Rotation.as_euler",
    x(4),
    fn=lambda q: jsp.spatial.transform.Rotation.from_quat(q).as_euler("xyz"),
)
