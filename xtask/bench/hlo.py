"""tpusim's reader of HLO text beside XLA's own (`jaxlib._hlo.hlo_module_from_text`): time, rate, memory.

Both read the same files from memory of a warm process, in turns, best of several. tpusim's memory is what
its resident set grew at most over one read, in a process that did nothing else, over the size of the file.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

parser = argparse.ArgumentParser(prog="cargo xtask bench --hlo")
parser.add_argument("files", nargs="*", type=Path, help="HLO texts [default: ../shared/hlo/benchmarks over 100 kB]")
parser.add_argument("--repeats", type=int, default=7)
parser.add_argument("--limit", type=float, default=1.0, help="the ratio of the times above which the bench fails")
parser.add_argument("--binary", help="the tpusim to run")
args = parser.parse_args()

os.environ["JAX_PLATFORMS"] = "cpu"
from jaxlib import _hlo  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BINARY = args.binary or ROOT / "target/release/tpusim"
SHARED = Path(os.environ.get("TPUSIM_SHARED", ROOT / "../shared"))


def own_texts():
    """Where there are no files: what JAX compiles of a few layers, as it is before and after XLA."""
    import jax
    import jax.numpy as jnp

    def layer(x, w):
        h = jax.nn.softmax(x @ w[0] @ x.T) @ x
        return jax.nn.gelu(h @ w[1]) + x

    def model(x, ws):
        for w in ws:
            x = layer(x, w)
        return x.sum()

    shapes = jax.ShapeDtypeStruct((64, 64), jnp.float32), [jax.ShapeDtypeStruct((2, 64, 64), jnp.float32)] * 48
    lowered = jax.jit(jax.grad(model, argnums=1)).lower(*shapes)
    folder = ROOT / "target/bench/hlo"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in [("before", lowered.as_text("hlo")), ("after", lowered.compile().as_text())]:
        (folder / f"{name}.hlo").write_text(text)
    return sorted(folder.glob("*.hlo"))


files = args.files or sorted(p for p in SHARED.glob("hlo/benchmarks/*.hlo") if p.stat().st_size > 100_000)
files = files or own_texts()


class Tpusim:
    def __init__(self, path):
        self.process = subprocess.Popen(
            [BINARY, "bench", "--read", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"tpusim ended with {self.process.wait()}")
        return json.loads(line)

    def read(self):
        self.process.stdin.write("read\n")
        self.process.stdin.flush()
        return self.answer()["wall_ms"]

    def resident(self, key):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(key))


print(f"{'file':58}{'MB':>7}{'tpusim ms':>11}{'XLA ms':>9}{'ratio':>7}{'MB/s':>7}{'memory':>8}")
ratios, ours, theirs, size = [], 0.0, 0.0, 0
for path in files:
    text = path.read_text()
    tpusim = Tpusim(path)
    before = tpusim.resident("VmRSS")
    tpusim.read()
    grown = tpusim.resident("VmHWM") - before
    times, xla = [], []
    for _ in range(args.repeats):
        times.append(tpusim.read())
        start = time.perf_counter()
        module = _hlo.hlo_module_from_text(text)
        xla.append((time.perf_counter() - start) * 1e3)
        del module
    tpusim.process.stdin.close()
    mine, other = min(times), min(xla)
    ratios.append(mine / other)
    ours, theirs, size = ours + mine, theirs + other, size + len(text)
    print(
        f"{path.name[:57]:58}{len(text) / 1e6:7.2f}{mine:11.2f}{other:9.2f}{mine / other:7.2f}"
        # A small file's is that of the program's own pages.
        f"{len(text) / mine / 1e3:7.0f}" + (f"{grown / len(text):7.1f}x" if len(text) > 1e6 else "")
    )
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(
    f"{len(files)} files, {size / 1e6:.1f} MB: {size / ours / 1e3:.0f} MB/s; time over XLA's: {ours / theirs:.2f} of all, "
    f"{mean:.2f} in the geometric mean, {max(ratios):.2f} at most"
)
sys.exit(max(ratios) > args.limit)
