"""Runs HLO texts on XLA:CPU, with inputs drawn at random.

    hlo_on_cpu.py OUT_FOLDER FILE...

For each file OUT_FOLDER/NAME.npz holds in0, in1, … and out0, out1, …; or OUT_FOLDER/NAME.txt says why there are
none. XLA:CPU ends the process on some programs, so that each runs in one of its own.
"""

import os
import re
import signal
import sys
import time
import zlib

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import jax  # noqa: E402
import ml_dtypes  # noqa: E402,F401
import numpy as np  # noqa: E402
from jaxlib import _hlo, _jax  # noqa: E402

jax.config.update("jax_enable_x64", True)

SECONDS = 20
LARGEST = 1 << 22


def draw(rng, shape):
    """Floats from [-1, 1), integers from 0 to 9, truth values evenly."""
    dtype, dims = np.dtype(shape.numpy_dtype()), shape.dimensions()
    if np.prod(dims, dtype=np.int64) > LARGEST:
        raise ValueError("inputs are larger than 4 M elements")
    if dtype == bool:
        return rng.integers(0, 2, dims).astype(bool)
    if dtype.kind in "iu":
        return rng.integers(0, 10, dims).astype(dtype)
    if dtype.kind == "c":
        return (rng.uniform(-1, 1, dims) + 1j * rng.uniform(-1, 1, dims)).astype(dtype)
    return rng.uniform(-1, 1, dims).astype(dtype)


def leaves(shape):
    return [leaf for s in shape.tuple_shapes() for leaf in leaves(s)] if shape.is_tuple() else [shape]


SHAPE = r"(\w+)\[([\d,]*)\](?:\{([\d,]*)[^}]*\})?"
BITCAST = re.compile(rf"^(\s*(?:ROOT )?)(%[\w.-]+) = {SHAPE} bitcast\({SHAPE} (%[\w.-]+)\)", re.M)


def spelled_out(match):
    """A bitcast as the transposes and the reshape it stands for."""
    head, name, to, to_dims, to_layout, source, dims, layout, operand = match.groups()
    bits = [re.search(r"\d+", t) for t in (to, source)]
    if to != source and (None in bits or bits[0].group() != bits[1].group()):
        return match.group()

    def in_memory(dims, layout):
        dims = [int(d) for d in dims.split(",") if d]
        order = [int(d) for d in layout.split(",") if d][::-1] if layout else list(range(len(dims)))
        return order, [dims[d] for d in order]

    def braced(numbers):
        return ",".join(str(n) for n in numbers)

    (order, linear), (to_order, to_linear) = in_memory(dims, layout), in_memory(to_dims, to_layout)
    back = sorted(range(len(to_order)), key=to_order.__getitem__)
    return "\n".join([
        f"{name}.memory = {source}[{braced(linear)}] transpose({operand}), dimensions={{{braced(order)}}}",
        f"{name}.bits = {to}[{braced(linear)}] "
        + (f"bitcast-convert({name}.memory)" if to != source else f"copy({name}.memory)"),
        f"{name}.shaped = {to}[{braced(to_linear)}] reshape({name}.bits)",
        f"{head}{name} = {to}[{to_dims}] transpose({name}.shaped), dimensions={{{braced(back)}}}",
    ])


def as_calls(text):
    """Fusions as calls. A fusion is emitted as it stands, so that the process ends where XLA:CPU has no emitter, and
    products of f16 are rounded before they are added; what is called is compiled like any other instructions."""
    return re.sub(r"kind=k\w+,(\s*)calls=", r"\1to_apply=", re.sub(r"\bfusion\(", "call(", text))


def without_bitcasts(module):
    """On the way to XLA:CPU, which leads through MLIR, layouts are lost. Values depend on them in bitcasts only."""
    options = _hlo.HloPrintOptions()
    options.print_operand_shape = True
    options.print_large_constants = True
    return _hlo.hlo_module_from_text(BITCAST.sub(spelled_out, module.to_string(options)))


def run(path, out):
    with open(path, encoding="utf-8") as f:
        module = _hlo.hlo_module_from_text(as_calls(f.read()))
    shapes = _hlo.XlaComputation(module.as_serialized_hlo_module_proto()).program_shape().parameter_shapes()
    rng = np.random.default_rng(zlib.crc32(os.path.basename(path).encode()))
    inputs = [draw(rng, p) for s in shapes for p in leaves(s)]
    computation = _hlo.XlaComputation(without_bitcasts(module).as_serialized_hlo_module_proto())
    mlir = _jax.mlir.xla_computation_to_mlir_module(computation)
    device = jax.devices("cpu")[0]
    program = device.client.compile_and_load(mlir, _jax.DeviceList((device,)))
    results = program.execute_sharded([jax.device_put(x, device) for x in inputs])
    outputs = [np.asarray(a[0]) for a in results.disassemble_into_single_device_arrays()]
    arrays = {f"in{i}": x for i, x in enumerate(inputs)} | {f"out{i}": x for i, x in enumerate(outputs)}
    np.savez(out + ".npz", **arrays)


def attempt(path, out):
    child = os.fork()
    if child == 0:
        try:
            # What XLA says when it ends the process.
            log = os.open(out + ".log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(log, 1)
            os.dup2(log, 2)
            run(path, out)
            os._exit(0)
        except BaseException as e:  # pylint: disable=broad-except
            with open(out + ".txt", "w", encoding="utf-8") as f:
                f.write(" ".join(f"{type(e).__name__}: {e}".split())[:300])
            os._exit(1)
    end = time.monotonic() + SECONDS
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            status = signal.SIGKILL
            break
        time.sleep(0.005)
    if os.WIFSIGNALED(status):
        why = "takes more than 20 s" if os.WTERMSIG(status) == signal.SIGKILL else "ends the process"
        if os.path.exists(out + ".npz"):
            os.remove(out + ".npz")  # Half written.
        with open(out + ".txt", "w", encoding="utf-8") as f:
            f.write(why)


def main():
    folder, *files = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for path in files:
        attempt(path, os.path.join(folder, os.path.basename(path)))


main()
