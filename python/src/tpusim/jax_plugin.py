"""The platform `tpusim` for JAX, which finds this module by its entry point in the group `jax_plugins`."""

from . import library_path

# Of the CPU's 0 and the TPU's 300. Without a word in JAX_PLATFORMS the highest is JAX's default.
_PRIORITY = -200


def initialize() -> None:
    """Registers the platform if JAX was asked for it: called by JAX before it makes its first backend.

    Where nobody asks, nothing is registered: JAX makes a client of every platform that it knows, and a machine that
    cannot be made would end programs that never meant to use it.
    """
    import jax
    from jax._src import xla_bridge

    asked = jax.config.jax_platforms or ""
    if "tpusim" in (platform.strip() for platform in asked.split(",")):
        xla_bridge.register_plugin("tpusim", priority=_PRIORITY, library_path=library_path(), options=None)
