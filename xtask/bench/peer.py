"""tpusim beside JAX's CPU backend: the same StableHLO, one session, two threads, runs interleaved.

Each program is exported from JAX to target/bench as text, compiled by both, and run in turns. Medians
of wall and of processor time; `warm` reuses the buffers of the run before (JAX: a donated output's
buffers stay in its allocator, too), `fresh` starts from buffers the system has to map.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

parser = argparse.ArgumentParser(prog="cargo xtask bench --peer jax")
parser.add_argument("--only", help="programs whose name contains this")
parser.add_argument("--repeats", type=int, default=7)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--numerics", default="tpu", choices=["tpu", "ieee"])
args = parser.parse_args()

# Before JAX starts: as many threads for it as for us.
os.environ["JAX_PLATFORMS"] = "cpu"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: args.threads])

import jax  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent))
from programs import PROGRAMS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "target/bench"
BINARY = ROOT / "target/release/tpusim"


class Tpusim:
    def __init__(self, module, inputs):
        command = [BINARY, "bench", module, "--inputs", inputs, "--threads", str(args.threads)]
        command += ["--numerics", args.numerics]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.answer()["ready_ms"]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("tpusim ended: see its message above")
        return json.loads(line)

    def run(self, mode):
        self.process.stdin.write(mode + "\n")
        self.process.stdin.flush()
        a = self.answer()
        return a["wall_ms"], a["cpu_ms"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def jax_run(compiled, operands):
    wall, cpu = time.perf_counter(), time.process_time()
    out = compiled(*operands)
    jax.block_until_ready(out)
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3


def bench(name, make):
    function, operands = make()
    lowered = jax.jit(function).lower(*operands)
    module, inputs = OUT / f"{name}.mlir", OUT / f"{name}.npz"
    module.write_text(lowered.as_text())
    np.savez(inputs, **{f"arg{i}": a for i, a in enumerate(operands)})
    compiled = lowered.compile()
    device = [jax.device_put(a) for a in operands]
    ours = Tpusim(module, inputs)
    try:
        for _ in range(2):
            ours.run("warm"), jax_run(compiled, device)
        rows = {"warm": [], "fresh": [], "jax": []}
        for _ in range(args.repeats):
            rows["warm"].append(ours.run("warm"))
            rows["jax"].append(jax_run(compiled, device))
            rows["fresh"].append(ours.run("fresh"))
    finally:
        ours.close()
    median = {k: tuple(statistics.median(x) for x in zip(*v)) for k, v in rows.items()}
    return {"ready": ours.ready, **median}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    names = [n for n in PROGRAMS if not args.only or args.only in n]
    print(f"{args.threads} threads, --numerics {args.numerics}, median of {args.repeats}, milliseconds")
    columns = ["wall", "fresh", "jax", "ratio", "cpu", "jax cpu", "ratio", "prepare"]
    print(f"{'program':<18}" + "".join(f"{c:>9}" for c in columns))
    ratios, failed, results = [], 0, {}
    for name in names:
        try:
            r = results[name] = bench(name, PROGRAMS[name])
        except (RuntimeError, BrokenPipeError) as e:
            print(f"{name:<18} failed: {e}")
            failed += 1
            continue
        (wall, cpu), (fresh, _), (jwall, jcpu) = r["warm"], r["fresh"], r["jax"]
        ratios.append((wall / jwall, cpu / jcpu, fresh / jwall))
        cells = [wall, fresh, jwall, wall / jwall, cpu, jcpu, cpu / jcpu, r["ready"]]
        print(f"{name:<18}" + "".join(f"{c:>9.2f}" for c in cells), flush=True)
    if ratios:
        wall, cpu, fresh = (statistics.geometric_mean(x) for x in zip(*ratios))
        print(f"geometric mean of {len(ratios)}: wall {wall:.2f}, processor {cpu:.2f}, wall with fresh buffers {fresh:.2f}")
    (OUT / "results.json").write_text(json.dumps(results, indent=1))
    sys.exit(1 if failed else 0)


main()
