"""Files of weights: read into numbers, and written as the same file with other numbers."""

from pathlib import Path

import numpy as np
import torch
from gguf import GGMLQuantizationType as Kind
from gguf import GGUFReader, GGUFValueType, GGUFWriter
from gguf.quants import dequantize, quantize

from network import Shape, Weights

#: Kept as they are; the file states them anew, or they say how other numbers were written.
SKIPPED = ("GGUF.", "general.architecture", "general.file_type", "general.quantization_version", "general.name", "capc.")


def read_weights(path: Path) -> tuple[Shape, Weights]:
    reader = GGUFReader(path)
    number = lambda key: reader.fields[f"llama.{key}"].contents()  # noqa: E731
    shape = Shape(
        layers=number("block_count"),
        heads=number("attention.head_count"),
        key_heads=number("attention.head_count_kv"),
        width=number("embedding_length"),
        rope_base=number("rope.freq_base"),
        epsilon=number("attention.layer_norm_rms_epsilon"),
    )
    tensors = {t.name: torch.from_numpy(np.array(dequantize(t.data, t.tensor_type))) for t in reader.tensors}
    return shape, tensors


def write_weights(path: Path, base: Path, weights: Weights, name: str, reluctance: int, copying: int) -> None:
    """The vocabulary and sizes of `base`; matrices as Q4_0, the rest in full. `reluctance` and `copying`: in thousandths of a nat."""
    reader = GGUFReader(base)
    writer = GGUFWriter(path, "llama")
    writer.add_name(name)
    writer.add_file_type(2)
    writer.add_quantization_version(2)
    writer.add_uint32("capc.call_reluctance", reluctance)
    writer.add_uint32("capc.copy_preference", copying)
    for key, field in reader.fields.items():
        if key.startswith(SKIPPED):
            continue
        kind = field.types[0]
        inner = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(key, field.contents(), kind, inner)
    for tensor in reader.tensors:
        numbers = weights[tensor.name].float().numpy()
        kind = Kind.F32 if numbers.ndim == 1 else Kind.Q4_0
        writer.add_tensor(tensor.name, quantize(numbers, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
