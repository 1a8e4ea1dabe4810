"""Where tpusim's PJRT plugin is. The command is `tpusim`; JAX's side is `tpusim.jax_plugin`."""

import importlib.metadata
import os
import pathlib
import sys

try:
    __version__ = importlib.metadata.version("tpusim")
except importlib.metadata.PackageNotFoundError:  # The sources, not installed.
    __version__ = "unknown"

__all__ = ["__version__", "library_path"]

_NAME = {"darwin": "libtpusim.dylib", "win32": "tpusim.dll"}.get(sys.platform, "libtpusim.so")


def library_path() -> str:
    """The path of the library: the one that `TPUSIM_LIBRARY` names, if it is set, else the package's own.

    Raises FileNotFoundError where there is none.
    """
    named = os.environ.get("TPUSIM_LIBRARY")
    path = pathlib.Path(named).absolute() if named else pathlib.Path(__file__).with_name(_NAME)
    if path.is_file():
        return str(path)
    if named:
        raise FileNotFoundError(f"TPUSIM_LIBRARY is {named}, and that is no file")
    raise FileNotFoundError(
        f"there is no {path}: install the package (`pip install ./python`), or set TPUSIM_LIBRARY to the path of"
        " a libtpusim that was built (`cargo build --release` leaves it in target/release)"
    )
