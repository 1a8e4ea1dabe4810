"""What a compiled program says of itself: cost, memory, HLO, layouts, shardings.

env: TPUSIM_NUMERICS=ieee
"""

import jax
import jax.numpy as jnp
from check import TPU

x = jax.device_put(jnp.ones((8, 128)), TPU[0])
compiled = jax.jit(lambda x: jnp.tanh(x @ x.T)).lower(x).compile()
cost = compiled.cost_analysis()
assert cost["flops"] == 2 * 8 * 8 * 128, cost
assert cost["transcendentals"] == 64, cost
memory = compiled.memory_analysis()
assert memory.argument_size_in_bytes == 8 * 128 * 4, memory
assert memory.output_size_in_bytes == 8 * 128 * 4, memory  # 8 columns in a tile of 128
text = compiled.as_text()
assert "HloModule" in text and "dot(" in text and "tanh(" in text, text
assert compiled.input_shardings[0][0].device_set == {TPU[0]}
assert compiled.input_formats[0][0].layout.tiling == ((8, 128),), compiled.input_formats
assert x.format.layout.tiling == ((8, 128),), x.format
assert compiled.output_shardings.device_set == {TPU[0]}
assert compiled.runtime_executable().fingerprint
print("ok")
