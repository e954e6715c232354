"""
Writes a LoRA adapter as llama.cpp reads it (GGUF), and reads it again to see that it is whole.

Of each trained projection W (out × in) two matrices are kept, A (rank × in) and B (out × rank): W + alpha / rank · B · A. The keys and
the tensors' names are those of llama.cpp's convert_lora_to_gguf.py and src/llama-adapter.cpp.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import gguf
import numpy as np

from plain_error import PlainError

ARCHITECTURES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}
"""Transformers' model types with which llama.cpp was seen to foretell what PyTorch does (Mistral is stored as Llama), and its names for them."""

PERMUTED = {"llama", "mistral"}
"""Their rotary embedding pairs neighbouring rows in llama.cpp, halves of a head in transformers."""

PROJECTIONS = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}

WEIGHT = re.compile(r"^base_model\.model\.model\.layers\.(\d+)\.(\w+\.\w+)\.lora_([AB])\.weight$")

Matrices = dict[str, np.ndarray]


def check_architecture(model_type: str) -> str:
    """What llama.cpp calls a model of this type."""
    if model_type not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise PlainError(f"Модели вида {model_type} этот скрипт не обучает. Умеет: {known}.")
    return ARCHITECTURES[model_type]


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a head from transformers' order (first halves, then second) to llama.cpp's (in pairs). Columns are left as they are."""
    size = rows.shape[0] // heads
    return rows.reshape(heads, 2, size // 2, -1).swapaxes(1, 2).reshape(rows.shape)


def tensors_for_llama_cpp(weights: Matrices, model_type: str, heads: int, key_heads: int) -> Matrices:
    """From peft's names and order of rows to llama.cpp's."""
    tensors: Matrices = {}
    for name, value in weights.items():
        found = WEIGHT.match(name)
        if found is None or found[2] not in PROJECTIONS:
            raise PlainError(f"Неизвестная часть адаптера: {name}")
        layer, projection, side = found[1], found[2], found[3]
        if side == "B" and model_type in PERMUTED and projection in ("self_attn.q_proj", "self_attn.k_proj"):
            # B gives the rows of the product, so permuting it permutes the product's.
            value = interleaved(value, heads if projection == "self_attn.q_proj" else key_heads)
        tensors[f"blk.{layer}.{PROJECTIONS[projection]}.weight.lora_{side.lower()}"] = value
    return tensors


BASE_WEIGHTS = "adapter.base.weights"
"""Which model the adapter was trained on, for the server that takes it (server/models/adapters/base-shapes.ts)."""


def base_weights(path: Path) -> str | None:
    """A digest of the model's values that no quantisation changes: its vectors of 32-bit floats by name. None: this is no GGUF file."""
    if path.suffix != ".gguf" or not path.is_file():
        return None
    vectors = [
        tensor
        for tensor in gguf.GGUFReader(path).tensors
        if tensor.tensor_type == gguf.GGMLQuantizationType.F32 and len(tensor.shape) == 1
    ]
    digest = hashlib.sha256()
    for tensor in sorted(vectors, key=lambda one: one.name):
        digest.update(np.ascontiguousarray(tensor.data, dtype="<f4").tobytes())
    return digest.hexdigest()[:32]


def write_adapter(
    path: Path, tensors: Matrices, *, architecture: str, alpha: float, name: str, base: str | None = None
) -> None:
    """`base`: see `base_weights`."""
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, alpha)
    writer.add_name(name)
    if base is not None:
        writer.add_string(BASE_WEIGHTS, base)
    for tensor in sorted(tensors):
        writer.add_tensor(tensor, np.ascontiguousarray(tensors[tensor], dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def check_adapter(path: Path, tensors: Matrices, *, architecture: str, alpha: float) -> None:
    """Reads the file again: keys, names, shapes and every number."""
    reader = gguf.GGUFReader(path)
    expected = {
        "general.architecture": architecture,
        "general.type": "adapter",
        "adapter.type": "lora",
        "adapter.lora.alpha": alpha,
    }
    for key, value in expected.items():
        field = reader.get_field(key)
        if field is None or field.contents() != value:
            raise PlainError(f"Файл {path} записан неверно: {key}. Попробуйте ещё раз.")
    written = {tensor.name: tensor.data for tensor in reader.tensors}
    if written.keys() != tensors.keys():
        raise PlainError(f"Файл {path} записан не целиком. Хватает ли места на диске?")
    for tensor, values in tensors.items():
        same = written[tensor].shape == values.shape and np.array_equal(written[tensor], values.astype(np.float32))
        if not same or not np.isfinite(values).all():
            raise PlainError(f"Файл {path} записан неверно: {tensor}. Попробуйте ещё раз.")
