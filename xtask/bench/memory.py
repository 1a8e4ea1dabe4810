"""tpusim's peak memory beside what XLA:CPU's buffer assignment takes for the same program.

XLA's number is the sum of the allocations in its buffer assignment: arguments + outputs + temporaries
- aliases of `compiled.memory_analysis()`, held against the allocations of `buffer-assignment.txt`
(constants are in neither tpusim's nor this sum, unless they are copied).

tpusim's numbers, of one `tpusim run` each: `peak_memory_bytes` of its summary (the most that buffers
took at once: the same on every machine), and what the process's resident set grew over that of a run
of next to nothing.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

parser = argparse.ArgumentParser(prog="cargo xtask bench --memory")
parser.add_argument("--only", help="programs whose name contains this")
parser.add_argument("--limit", type=float, default=1.3, help="the ratio above which the bench fails")
parser.add_argument("--binary", help="the tpusim to run")
parser.add_argument("--record", action="store_true", help="write the programs of backend/tests/memory anew")
args = parser.parse_args()

DUMP = tempfile.TemporaryDirectory()
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_dump_to={DUMP.name} --xla_dump_hlo_as_text"

import jax  # noqa: E402
import jaxlib  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent))
import memory_programs  # noqa: E402
import programs  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "target/bench/memory"
TESTS = ROOT / "backend/tests/memory"
BINARY = args.binary or ROOT / "target/release/tpusim"
MIB = 1 << 20
# Larger programs take the tests too long.
RECORDED = 180 * MIB


def timed(make):
    """A program of the time bench: its operands' shapes are enough."""
    function, operands = make()
    return function, tuple(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in operands), ()


def buffer_assignment():
    """The sum of XLA's allocations, from the newest dump, without constants and thread-local ones."""
    newest = max(Path(DUMP.name).glob("*cpu_after_optimizations-buffer-assignment.txt"), key=os.path.getmtime)
    total = 0
    for line in newest.read_text().splitlines():
        found = re.match(r"allocation \d+: size (\d+)(.*):$", line)
        if found and "constant" not in found[2] and "thread-local" not in found[2]:
            total += int(found[1])
    return total


def run(module):
    """(peak of the summary, most resident bytes) of one `tpusim run`."""
    command = [BINARY, "run", module, "--random", "0", "--summary", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    summary = json.loads(done.stdout)
    if done.returncode:
        raise RuntimeError(f"{summary['error'] or summary['runs'][0]['error']}")
    peak, memory = summary["runs"][0]["peak_memory_bytes"], summary["runs"][0]["memory"]
    return peak, memory["peak_resident_bytes"] or 0


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    everything = {n: lambda m=m: timed(m) for n, m in programs.PROGRAMS.items()} | memory_programs.PROGRAMS
    nothing = OUT / "nothing.mlir"
    nothing.write_text("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                       "  %0 = stablehlo.add %x, %x : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n")
    baseline = 0 if args.record else run(nothing)[1]
    print(f"MiB; resident over {baseline / MIB:.0f} MiB of a run of nothing")
    columns = ["arguments", "outputs", "temps", "aliased", "XLA", "dump", "tpusim", "ratio", "resident", "ratio"]
    print(f"{'program':<26}" + "".join(f"{c:>10}" for c in columns))
    ratios, over, rows = [], [], []
    for name, make in everything.items():
        if args.only and args.only not in name:
            continue
        function, shapes, donate = make()
        lowered = jax.jit(function, donate_argnums=donate).lower(*shapes)
        m = lowered.compile().memory_analysis()
        parts = [m.argument_size_in_bytes, m.output_size_in_bytes, m.temp_size_in_bytes, m.alias_size_in_bytes]
        xla, text = sum(parts) - 2 * parts[3], lowered.as_text()
        module = OUT / f"{name}.mlir"
        module.write_text(text)
        dump = buffer_assignment()
        if args.record:
            if xla <= RECORDED:
                TESTS.mkdir(exist_ok=True)
                (TESTS / f"{name}.mlir").write_text(header(parts, xla) + text)
            continue
        try:
            peak, resident = run(module)
        except RuntimeError as e:
            print(f"{name:<26} failed: {e}")
            over.append(name)
            continue
        resident = max(resident - baseline, 0)
        ratios.append((peak / xla, resident / xla))
        mib = [f"{n / MIB:>10.1f}" for n in (*parts, xla, dump, peak)]
        print(f"{name:<26}" + "".join(mib) + f"{peak / xla:>10.2f}{resident / MIB:>10.1f}{resident / xla:>10.2f}", flush=True)
        if peak > args.limit * xla:
            over.append(name)
    if ratios:
        peak, resident = (statistics.geometric_mean(max(x, 1e-3) for x in column) for column in zip(*ratios))
        print(f"geometric mean of {len(ratios)}: peak {peak:.2f}, resident {resident:.2f}")
    if over:
        print(f"over {args.limit}: {', '.join(over)}")
    sys.exit(1 if over else 0)


def header(parts, xla):
    names = ["arguments", "outputs", "temporaries", "aliased"]
    return (
        f"// XLA:CPU {' '.join(f'{n}={p}' for n, p in zip(names, parts))} total={xla}\n"
        f"// Bytes of compiled.memory_analysis(), jax {jax.__version__}, jaxlib {jaxlib.__version__};\n"
        "// made by `cargo xtask bench --memory --record`.\n"
    )


main()
