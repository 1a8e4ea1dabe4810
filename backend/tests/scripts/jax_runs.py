"""Runs StableHLO texts on JAX's CPU backend, one after the other.

A request on stdin is a line of JSON, {"text": bytes of the module, "inputs": [{"dtype", "shape",
"bytes"}]}, then the module's text, then the inputs' bytes in order (row-major, little-endian).
The answer on stdout is a line of JSON, {"outputs": [{"dtype", "shape", "bytes"}]} and their bytes,
or {"error": "..."}.
"""

import json
import sys

import jax
import ml_dtypes
import numpy as np

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir

device = jax.local_devices(backend="cpu")[0]
devices = xla_client.DeviceList((device,))
# Roundings are kept, as the specification has them.
options = compiler.get_compile_options(
    num_replicas=1, num_partitions=1, env_options_overrides={"xla_allow_excess_precision": False}
)
# Less optimization: several times the programs a second.
options.executable_build_options.debug_options.xla_backend_optimization_level = 0

requests, answers = sys.stdin.buffer, sys.stdout.buffer


def dtype(name):
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def read(spec):
    data = np.frombuffer(requests.read(spec["bytes"]), dtype(spec["dtype"]))
    return data.reshape(spec["shape"])


def run(text, inputs):
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        executable = device.client.compile_and_load(module, devices, options, [])
    results = executable.execute([jax.device_put(x, device) for x in inputs])
    return [np.asarray(r) for r in results]


while line := requests.readline():
    request = json.loads(line)
    text = requests.read(request["text"]).decode()
    inputs = [read(spec) for spec in request["inputs"]]
    try:
        outputs = run(text, inputs)
        answer = {
            "outputs": [
                {"dtype": str(o.dtype), "shape": list(o.shape), "bytes": o.nbytes} for o in outputs
            ]
        }
    except Exception as error:  # Whatever it is, the test shows it.
        reasons = getattr(error, "error_diagnostics", None)
        reason = " | ".join(d.message for d in reasons) if reasons else str(error)
        outputs, answer = [], {"error": reason.replace("\n", " ")[:2000]}
    answers.write(json.dumps(answer).encode() + b"\n")
    for output in outputs:
        answers.write(output.tobytes())
    answers.flush()
