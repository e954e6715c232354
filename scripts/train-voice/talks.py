"""Reads what the platform exports: train.jsonl and test.jsonl, from a folder or from the zip itself."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from plain_error import PlainError

Talk = list[dict[str, str]]

ROLES = ("system", "user", "assistant")
MIN_TO_TRAIN = 20


def read_talks(place: Path) -> tuple[list[Talk], list[Talk]]:
    """Talks to train on and talks to check by. A talk is a list of {"role", "content"}; its last turn is the owner's."""
    if not place.exists():
        raise PlainError(f"Нет файла или папки: {place}")
    train, test = (parse_lines(_text_of(place, name), name) for name in ("train.jsonl", "test.jsonl"))
    if len(train) < MIN_TO_TRAIN:
        raise PlainError(f"В train.jsonl всего {len(train)} бесед: нужно хотя бы {MIN_TO_TRAIN}.")
    if not test:
        raise PlainError("test.jsonl пуст: не на чем проверить, помогло ли обучение.")
    return train, test


def _text_of(place: Path, name: str) -> str:
    try:
        if place.is_dir():
            return (place / name).read_text(encoding="utf-8")
        with zipfile.ZipFile(place) as archive:
            return archive.read(name).decode("utf-8")
    except (FileNotFoundError, KeyError):
        raise PlainError(f"В {place} нет {name}. Нужен архив, который скачан на странице «Почерк двойника».") from None
    except (zipfile.BadZipFile, UnicodeDecodeError):
        raise PlainError(f"{place} не читается: скачайте архив ещё раз.") from None


def read_file(path: Path) -> list[Talk]:
    try:
        return parse_lines(path.read_text(encoding="utf-8"), path.name)
    except (OSError, UnicodeDecodeError):
        raise PlainError(f"Файл не читается: {path}") from None


def parse_lines(text: str, name: str) -> list[Talk]:
    """One talk of each line that is not empty."""
    # Not splitlines(): a message may hold U+2028, which JSON leaves as it is.
    lines = enumerate(text.split("\n"), start=1)
    return [_parse(line, f"{name}, строка {number}") for number, line in lines if line.strip()]


def _parse(line: str, where: str) -> Talk:
    try:
        talk = json.loads(line)["messages"]
        turns = [{"role": turn["role"], "content": turn["content"].strip()} for turn in talk]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PlainError(f"{where}: это не беседа. Файл повреждён или изменён.") from None
    if any(turn["role"] not in ROLES for turn in turns):
        raise PlainError(f"{where}: это не беседа. Файл повреждён или изменён.")
    if not turns or turns[-1]["role"] != "assistant" or turns[-1]["content"] == "":
        raise PlainError(f"{where}: беседа кончается не ответом владельца.")
    return turns
