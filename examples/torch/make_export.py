"""Makes `export`: a torch.export with a dynamic batch size, as PyTorch/XLA saves it, with inputs
for a batch of 7 and PyTorch's own results.

Made with torch 2.9.1 and torch_xla 2.9.0 (Python 3.12): PJRT_DEVICE=CPU python make_export.py
"""

import os
from pathlib import Path

os.environ["EXPERIMENTAL_XLA_UNBOUNDED_DYNAMISM"] = "1"

import numpy as np
import torch
from torch import nn
from torch.export import Dim, export
from torch_xla.stablehlo import exported_program_to_stablehlo

here = Path(__file__).parent


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 3)
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 3.0]))

    def forward(self, x, unused, offset):
        return torch.softmax(self.last(torch.relu(self.first(x))) * self.scale + offset, -1)


torch.manual_seed(0)
model = Classifier().eval()
sample = (torch.randn(5, 4), torch.randn(2), torch.randn(3))
exported = export(model, sample, dynamic_shapes=({0: Dim("batch")}, None, None))
exported_program_to_stablehlo(exported).save(here / "export")
(here / "export/functions/forward.mlir").unlink()  # The same as forward.bytecode, as text.

inputs = (torch.randn(7, 4), torch.randn(2), torch.randn(3))
with torch.no_grad():
    output = model(*inputs)
np.savez(here / "export.inputs.npz", *[x.numpy() for x in inputs])
np.savez(here / "export.expected.npz", output.numpy())
