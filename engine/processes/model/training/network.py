"""SmolLM2 as llama.cpp computes it, from the tensors of its GGUF file: nothing is renamed or permuted on the way there or back."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Shape:
    """Sizes that a file of weights states of itself."""

    layers: int
    heads: int
    key_heads: int
    width: int
    rope_base: float
    epsilon: float

    @property
    def head_width(self) -> int:
        return self.width // self.heads


@dataclass(frozen=True)
class Sequence:
    """One group: a shared beginning and conversations that do not see each other. All of one length."""

    tokens: Tensor
    positions: Tensor
    #: The token that is to follow, or -100 where nothing is to be learnt.
    targets: Tensor
    #: Of the shared beginning, and of each conversation.
    lengths: list[int]
    #: For each of those, a row for each token: 0, or -inf where it does not see another one, the shared ones first.
    masks: list[Tensor]


def rotations(shape: Shape, positions: Tensor) -> tuple[Tensor, Tensor]:
    half = torch.arange(0, shape.head_width, 2).float() / shape.head_width
    angles = positions.float()[:, None] * shape.rope_base**-half
    return angles.cos()[:, None, :].bfloat16(), angles.sin()[:, None, :].bfloat16()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Neighbours are turned together, which is the order of GGUF's llama."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


def before_attention(x: Tensor, norm: Tensor, q: Tensor, k: Tensor, v: Tensor, cos: Tensor, sin: Tensor, shape: Shape):
    h = F.rms_norm(x, (shape.width,), norm, shape.epsilon)
    queries = rotate(F.linear(h, q).view(-1, shape.heads, shape.head_width), cos, sin)
    keys = rotate(F.linear(h, k).view(-1, shape.key_heads, shape.head_width), cos, sin)
    return queries, keys, F.linear(h, v).view(-1, shape.key_heads, shape.head_width)


def after_attention(x: Tensor, seen: Tensor, out: Tensor, norm: Tensor, gate: Tensor, up: Tensor, down: Tensor, shape: Shape):
    x = x + F.linear(seen, out)
    h = F.rms_norm(x, (shape.width,), norm, shape.epsilon)
    return x + F.linear(F.silu(F.linear(h, gate)) * F.linear(h, up), down)


def attend(q: Tensor, k: Tensor, v: Tensor, sequences: list[Sequence], shape: Shape) -> Tensor:
    """Each part sees the shared beginning of its sequence and itself. By hand: torch's own kernel is five times as slow here going back."""
    share = shape.heads // shape.key_heads
    seen = []
    lengths = [len(s.tokens) for s in sequences]
    for part_q, part_k, part_v, s in zip(q.split(lengths), k.split(lengths), v.split(lengths), sequences, strict=True):
        # Queries that share a key stand behind each other: one product for all of them.
        queries = (part_q * shape.head_width**-0.5).unflatten(1, (shape.key_heads, share)).permute(1, 2, 0, 3).split(s.lengths, 2)
        keys = part_k.permute(1, 2, 0).split(s.lengths, 2)
        values = part_v.transpose(0, 1).split(s.lengths, 1)
        for index, (one, mask) in enumerate(zip(queries, s.masks, strict=True)):
            seen_keys, seen_values = keys[index], values[index]
            if index > 0:
                seen_keys, seen_values = torch.cat((keys[0], seen_keys), 2), torch.cat((values[0], seen_values), 1)
            scores = one.flatten(1, 2) @ seen_keys
            shares = torch.softmax(scores.unflatten(1, (share, -1)) + mask, -1).flatten(1, 2)
            mixed = (shares @ seen_values).unflatten(1, (share, -1))
            seen.append(mixed.permute(2, 0, 1, 3).flatten(1))
    return torch.cat(seen)


def loss_of(weights: Weights, shape: Shape, sequences: list[Sequence]) -> Tensor:
    """Mean over all tokens that are to be learnt."""
    tokens = torch.cat([s.tokens for s in sequences])
    targets = torch.cat([s.targets for s in sequences])
    cos, sin = rotations(shape, torch.cat([s.positions for s in sequences]))
    x = F.embedding(tokens, weights["token_embd.weight"])
    for layer in range(shape.layers):
        w = lambda part: weights[f"blk.{layer}.{part}.weight"]  # noqa: E731
        q, k, v = before_attention(x, w("attn_norm"), w("attn_q"), w("attn_k"), w("attn_v"), cos, sin, shape)
        seen = attend(q, k, v, sequences, shape)
        x = after_attention(x, seen, w("attn_output"), w("ffn_norm"), w("ffn_gate"), w("ffn_up"), w("ffn_down"), shape)
    asked = (targets != -100).nonzero()[:, 0]
    h = F.rms_norm(x[asked], (shape.width,), weights["output_norm.weight"], shape.epsilon)
    # The words that are read are the words that are said: one table for both.
    return F.cross_entropy(F.linear(h, weights["token_embd.weight"]).float(), targets[asked])
