"""Prints each N.hlo of a folder as XLA's own parser does, into N.txt. A text that it aborts on has no result."""

import pathlib
import sys

sys.dont_write_bytecode = True
from xla_child import for_each  # noqa: E402

WORK = """
from jaxlib import _hlo
options = _hlo.HloPrintOptions()

def work(path):
    try:
        text = open(path).read()
        options.print_large_constants = "constant({...})" not in text
        printed = _hlo.hlo_module_from_text(text).to_string(options)
        open(path[:-3] + "txt", "w").write(printed)
    except Exception:
        pass
"""

for_each(sorted(pathlib.Path(sys.argv[1]).glob("*.hlo")), WORK)
