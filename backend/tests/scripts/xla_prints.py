"""Prints each N.hlo of a folder as XLA's own parser does, into N.txt.

The parser aborts on some texts (programs of the SparseCore): a process that dies is replaced, and
its file has no result.
"""

import pathlib
import subprocess
import sys

CHILD = """
import sys
from jaxlib import _hlo
options = _hlo.HloPrintOptions()
for path in sys.stdin:
    path = path.strip()
    try:
        text = open(path).read()
        options.print_large_constants = "constant({...})" not in text
        printed = _hlo.hlo_module_from_text(text).to_string(options)
        open(path[:-3] + "txt", "w").write(printed)
    except Exception:
        pass
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
