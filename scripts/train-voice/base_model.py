"""Opens the model that the adapter is trained for: by its name on the hub, a folder, or a GGUF file."""

from __future__ import annotations

from pathlib import Path

from plain_error import PlainError


def open_base(name: str, device: str):
    """The tokenizer and the model, on the device. A GGUF file is unpacked to full numbers (transformers does that)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    # A processor reckons with whole numbers fastest; a graphics card has little memory, and bfloat16 keeps the range.
    small = device == "cuda" and torch.cuda.is_bf16_supported()
    place = Path(name)
    source, options = (str(place.parent), {"gguf_file": place.name}) if place.suffix == ".gguf" else (name, {})
    if options and not place.is_file():
        raise PlainError(f"Нет файла модели: {place}")
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, **options)
        model = AutoModelForCausalLM.from_pretrained(
            source, dtype=torch.bfloat16 if small else torch.float32, **options
        )
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise PlainError(
            f"Модель {name} не открылась: {_first_line(error)}\n"
            "Нужно имя модели на huggingface.co, папка с ней или файл .gguf того вида, который умеет читать transformers."
        ) from None
    if not tokenizer.chat_template:
        raise PlainError("У этой модели нет шаблона беседы: возьмите ту, что обучена отвечать (Instruct, it, chat).")
    if not tokenizer.is_fast:
        raise PlainError("Словарь этой модели не показывает, где в тексте стоит слово: возьмите другую модель.")
    return tokenizer, model.to(device)


def choose_device(wanted: str) -> str:
    import torch

    if wanted == "cuda" and not torch.cuda.is_available():
        raise PlainError("Видеокарта не найдена. Запустите с --device cpu или поставьте PyTorch для вашей карты.")
    if wanted != "auto":
        return wanted
    return "cuda" if torch.cuda.is_available() else "cpu"


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
