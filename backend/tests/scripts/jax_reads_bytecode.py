"""Reads the bytecode in a folder with JAX's MLIR and holds it against what JAX makes of the text beside it.

usage: jax_reads_bytecode.py FOLDER

For each `NAME.mlir` there are `NAME@direct.mlirbc`, which must print as the text does, and
`NAME@VERSION.mlirbc` or `NAME@VERSION.error`: there must be an artifact just where StableHLO's own
serializer makes one (other dialects allowed), and what is read from it must print as what is read from
StableHLO's, or as the text.

Prints one line for each difference; sums up on standard error.
"""

import collections
import io
import pathlib
import sys

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

context = mlir.make_ir_context()
# StableHLO's test dialects (`check`, `interpreter`) are registered nowhere but in its own tools.
context.allow_unregistered_dialects = True
counts = collections.Counter()


def reasons(error):
    found = [d.message for d in getattr(error, "error_diagnostics", [])] or [str(error)]
    return " | ".join(found).replace("\n", " ")[:400]


def text_of(module):
    """Without locations; generic, so that nothing is hidden."""
    return module.operation.get_asm(print_generic_op_form=True)


def plain(text):
    """Attributes and properties alike: before properties existed there were only attributes."""
    return text.replace("<{", "{").replace("}>", "}")


def deserialized(data):
    return text_of(stablehlo.deserialize_portable_artifact(context, data))


def line_of_difference(ours, theirs):
    for a, b in zip(ours.splitlines(), theirs.splitlines()):
        if a != b:
            return f"ours: {a.strip()[:300]}  theirs: {b.strip()[:300]}"
    return "one is longer"


def check(path, text, module, label):
    """What is wrong with an artifact, or None."""
    try:
        # The serializer changes the module that it is given.
        clone = ir.Module.parse(module)
        theirs = stablehlo.serialize_portable_artifact(clone, label, True)
    except (ir.MLIRError, ValueError, RuntimeError) as error:
        theirs, why = None, error
    if path.suffix == ".error":
        counts["refused"] += 1
        return None if theirs is None else "we refuse what StableHLO writes: " + path.read_text().replace("\n", " ")
    if theirs is None:
        return "StableHLO refuses it: " + reasons(why)
    counts["artifacts"] += 1
    try:
        ours = deserialized(path.read_bytes())
    except (ir.MLIRError, ValueError, RuntimeError) as error:
        try:
            deserialized(theirs)
        except (ir.MLIRError, ValueError, RuntimeError):
            counts["artifacts that neither we nor StableHLO write so that JAX reads them"] += 1
            return None
        return "not read: " + reasons(error)
    if plain(ours) == plain(text):
        counts["like the text"] += 1
        return None
    theirs = deserialized(theirs)
    if ours == theirs:
        counts["like StableHLO's"] += 1
        return None
    if tuple(map(int, label.split("."))) < (0, 15, 0):
        # Before properties existed, StableHLO's writer loses those of operations that it does not know.
        newest = stablehlo.serialize_portable_artifact(ir.Module.parse(module), stablehlo.get_current_version(), True)
        if plain(ours) == plain(deserialized(newest)):
            counts["like StableHLO's newest"] += 1
            return None
    return "prints otherwise: " + line_of_difference(ours, theirs)


files = collections.defaultdict(list)
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    stem, at, label = path.name.rpartition("@")
    if at:
        files[stem].append((label.removesuffix(path.suffix), path))
for stem, written in files.items():
    source = (pathlib.Path(sys.argv[1]) / f"{stem}.mlir").read_text()
    with context:
        try:
            module = ir.Module.parse(source)
        except ir.MLIRError:
            # What JAX reads of our texts is another test's business.
            counts["texts that JAX refuses"] += 1
            continue
        text = text_of(module)
        original = io.BytesIO()
        module.operation.write_bytecode(original)
        for label, path in written:
            if label != "direct":
                wrong = check(path, text, original.getvalue(), label)
            elif path.suffix == ".error":
                wrong = path.read_text().replace("\n", " ")
            else:
                counts["direct"] += 1
                try:
                    direct = text_of(ir.Module.parse(path.read_bytes()))
                    wrong = None if plain(direct) == plain(text) else "prints otherwise: " + line_of_difference(direct, text)
                except (ir.MLIRError, ValueError, RuntimeError) as error:
                    wrong = "not read: " + reasons(error)
            if wrong:
                print(stem, label, wrong, sep="\t")
print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())), file=sys.stderr)
