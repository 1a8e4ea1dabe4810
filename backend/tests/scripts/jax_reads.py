"""Reads every `.mlir` file of a folder with JAX's own MLIR parser and verifier.

usage: jax_reads.py FOLDER

Prints one line for each file that JAX refuses: its name, a tab, the reasons.
"""

import pathlib
import sys

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def is_about_quantized_types(reason):
    """jaxlib 0.12 reads quantized types, and then its verifier of StableHLO takes none of them, in
    StableHLO's own tests neither ("must be … per-tensor integer quantized …, but got '…!quant…'")."""
    return "integer quantized" in reason and "!quant." in reason.partition("but got")[2]


context = mlir.make_ir_context()
# StableHLO's test dialects (`check`, `interpreter`) are registered nowhere but in its own tools.
context.allow_unregistered_dialects = True
with context:
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.mlir")):
        try:
            ir.Module.parse(path.read_text())
        except ir.MLIRError as error:
            reasons = [d.message for d in error.error_diagnostics] or [str(error)]
            if not all(map(is_about_quantized_types, reasons)):
                print(path.name, " | ".join(reasons).replace("\n", " "), sep="\t")
