#!/usr/bin/env python3
"""Compile StableHLO ahead of time with XLA:TPU, without a TPU: the dumps of `workloads/dumps`.

usage: aot.py JOBS.json     JOBS.json: [{"stablehlo": FILE, "chip": "v6e", "options": {NAME: VALUE}, "output": FILE}, ...];
                            "memory": true puts what `memory_analysis()` says in a comment before the dump
       aot.py --check       says whether the compiler is here

A developer's tool: needs `pip install jax==0.12.0.1 libtpu==0.0.52` (Python 3.12 or later). Writes each dump, compressed when
OUTPUT ends in .gz, and prints a line for each job: `ok OUTPUT SECONDS` or `failed OUTPUT REASON`. Exit status 3: no compiler.
"""
import fcntl
import gzip
import importlib.util
import json
import os
import re
import sys
import time

# libtpu asks the machine's metadata server for these, and waits long where there is none.
os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
os.environ.setdefault("TPU_ACCELERATOR_TYPE", "v6e-1")
os.environ.setdefault("TPU_WORKER_HOSTNAMES", "localhost")
os.environ.setdefault("TPU_WORKER_ID", "0")

# One chip of each generation. v4 by default is described as two devices of one core; `megacore`, as JAX runs it, is one of both.
TOPOLOGY = {
    "v4": ("v4:1x1x1", {"chip_config_name": "megacore"}),
    "v5e": ("v5e:1x1", {}),
    "v5p": ("v5p:1x1x1", {}),
    "v6e": ("v6e:1x1", {}),
    "v7x": ("tpu7x:1x1x1", {}),
}


# What is held to the process's end.
HELD = []


def no_compiler(reason):
    print(f"no XLA:TPU compiler: {reason} (pip install jax==0.12.0.1 libtpu==0.0.52)", file=sys.stderr)
    sys.exit(3)


def only_process():
    """libtpu refuses a second process: wait for our own kind, on a lock of ours. It is held to the process's end, as libtpu's is."""
    lock = open("/tmp/tpusim_aot.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    HELD.append(lock)


def strip(text):
    """Leaves out where in Python an operation came from; times depend on none of it."""
    lines, skipping = [], False
    for line in text.splitlines():
        if line in ("FileNames", "FunctionNames", "FileLocations", "StackFrames"):
            skipping = True
        elif skipping and line.strip() and not re.match(r"\d+ ", line):
            skipping = False
        if not skipping:
            lines.append(re.sub(r",? ?(?<!\w)metadata=\{(?:[^{}\"]|\"(?:[^\"\\]|\\.)*\")*\}", "", line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def memory(executable):
    """What the compiler says of a chip's memory, in bytes."""
    stats = executable.get_compiled_memory_stats()
    names = {"arguments": "argument_size", "results": "output_size", "aliased": "alias_size", "temporary": "temp_size"}
    found = {ours: getattr(stats, f"{theirs}_in_bytes") for ours, theirs in names.items()}
    found["peak"] = getattr(stats, "peak_memory_in_bytes", None)
    return json.dumps(found)


def main(jobs):
    only_process()
    try:
        import jax
        import libtpu  # noqa: F401
    except ImportError as error:
        no_compiler(error)
    jax.config.update("jax_platforms", "cpu")
    from jax.experimental import topologies
    from jax._src import compiler
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    devices, failed = {}, 0
    for job in jobs:
        start, output = time.time(), job["output"]
        try:
            chip = job["chip"]
            if chip not in TOPOLOGY:
                raise ValueError(f"no topology of libtpu is known for {chip}")
            if chip not in devices:
                name, extra = TOPOLOGY[chip]
                try:
                    devices[chip] = topologies.get_topology_desc(platform="tpu", topology_name=name, **extra).devices[0]
                except Exception as error:  # libtpu says why in many types
                    if "lockfile" in str(error):
                        no_compiler("another process holds libtpu (/tmp/libtpu_lockfile)")
                    raise
            device = devices[chip]
            context = mlir.make_ir_context()
            with context, ir.Location.unknown(context):
                module = ir.Module.parse(open(job["stablehlo"]).read())
                options = compiler.get_compile_options(
                    num_replicas=1,
                    num_partitions=1,
                    device_assignment=[[device.id]],
                    env_options_overrides={k: str(v) for k, v in job.get("options", {}).items()},
                    backend=device.client,
                )
                executable = device.client.compile(module, xla_client.DeviceList((device,)), options)
            text = strip(executable.hlo_modules()[0].to_string())
            if job.get("memory"):
                text = f"// memory: {memory(executable)}\n{text}"
            data = text.encode()
            if output.endswith(".gz"):
                data = gzip.compress(data, 9, mtime=0)
            os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
            with open(output + ".part", "wb") as file:
                file.write(data)
            os.replace(output + ".part", output)
            print(f"ok {output} {time.time() - start:.2f}", flush=True)
        except Exception as error:
            failed += 1
            print(f"failed {output} {' '.join(str(error).split())[:400]}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        for name in ("jax", "libtpu"):
            if importlib.util.find_spec(name) is None:
                no_compiler(f"no module {name}")
        print("jax and libtpu are here")
    else:
        with open(sys.argv[1]) as file:
            sys.exit(main(json.load(file)))
