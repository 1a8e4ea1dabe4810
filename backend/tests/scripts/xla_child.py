"""Code of XLA's that may abort (its parser does, on programs of the SparseCore) runs in a process of its own, which is
replaced when it dies: the file that it died of has no result."""

import subprocess
import sys

LOOP = """
import sys
for path in sys.stdin:
    work(path.strip())
    print("done", flush=True)
"""


def for_each(paths, source):
    """Calls `work(path)`, which `source` defines, for each path in turn. What it prints would be lost."""

    def start():
        command = [sys.executable, "-c", source + LOOP]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, text=True, **pipes)

    child = start()
    for path in paths:
        child.stdin.write(f"{path}\n")
        child.stdin.flush()
        if not child.stdout.readline():
            child.wait()
            child = start()
    child.stdin.close()
    child.wait()
