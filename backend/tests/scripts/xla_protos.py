"""Protocol buffers beside XLA's own. For each N.hlo of a folder: N.pb, XLA's proto of the text, and N.txt, what XLA
prints of that proto. For each N.ours.pb: N.ours.txt, what XLA prints of it, or N.ours.err, why it does not read it.
A text that XLA aborts on has no result.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
from xla_child import for_each  # noqa: E402

WORK = """
import os
from jaxlib import _hlo
options = _hlo.HloPrintOptions()

def printed(proto, to):
    text = _hlo.HloModule.from_serialized_hlo_module_proto(proto).to_string(options)
    open(to, "w").write(text)

def work(path):
    base = path[:-4]
    text = open(path).read()
    options.print_large_constants = "constant({...})" not in text
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
"""

for_each(sorted(pathlib.Path(sys.argv[1]).glob("*.hlo")), WORK)
