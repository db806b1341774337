"""Q4_0, as the engine reads it: 32 numbers share a scale, each is one of sixteen steps."""

import torch
from torch import Tensor

BLOCK = 32


def rounded(x: Tensor) -> Tensor:
    """What is left of numbers once they are written as Q4_0."""
    blocks = x.reshape(-1, BLOCK)
    high, low = blocks.amax(1, keepdim=True), blocks.amin(1, keepdim=True)
    scale = torch.where(high > -low, high, low) / -8
    inverse = torch.where(scale == 0, torch.zeros_like(scale), 1 / scale)
    steps = (blocks * inverse).add_(8.5).floor_().clamp_(0, 15).sub_(8)
    # The file holds half a float of the scale.
    return steps.mul_(scale.half().float()).reshape(x.shape)
