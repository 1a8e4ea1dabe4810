"""Protocol buffers beside XLA's own. For each N.hlo of a folder: N.pb, XLA's proto of the text, and N.txt, what XLA
prints of that proto. For each N.ours.pb: N.ours.txt, what XLA prints of it, or N.ours.err, why it does not read it.

The parser aborts on some texts (programs of the SparseCore): a process that dies is replaced, and its file has no
result.
"""

import pathlib
import subprocess
import sys

CHILD = """
import os, sys
from jaxlib import _hlo
options = _hlo.HloPrintOptions()
for path in sys.stdin:
    path = path.strip()
    base = path[:-4]
    text = open(path).read()
    options.print_large_constants = "constant({...})" not in text

    def printed(proto, to):
        text = _hlo.HloModule.from_serialized_hlo_module_proto(proto).to_string(options)
        open(to, "w").write(text)

    try:
        proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
        printed(proto, base + ".txt")
        open(base + ".pb", "wb").write(proto)
    except Exception:
        pass
    try:
        ours = base + ".ours.pb"
        if os.path.exists(ours):
            printed(open(ours, "rb").read(), base + ".ours.txt")
    except Exception as e:
        open(base + ".ours.err", "w").write(str(e))
    print("done", flush=True)
"""


def start():
    return subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


child = start()
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.hlo")):
    child.stdin.write(f"{path}\n")
    child.stdin.flush()
    if not child.stdout.readline():
        child = start()
