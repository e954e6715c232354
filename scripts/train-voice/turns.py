"""Talks as the model reads them: tokens by the model's own chat template, with the owner's turns marked."""

from __future__ import annotations

from dataclasses import dataclass

from plain_error import PlainError
from talks import Talk

IGNORED = -100
"""The label of a token that is read but not learnt: PyTorch's cross entropy leaves it out."""


@dataclass(frozen=True)
class Example:
    tokens: list[int]
    labels: list[int]
    """As many as tokens; IGNORED outside the owner's turns."""

    @property
    def learnt(self) -> int:
        return sum(label != IGNORED for label in self.labels)


def render(tokenizer, talk: Talk, *, answering: bool = False) -> str:
    # `enable_thinking` is for templates that know it: an owner's reply has no thoughts before it.
    return tokenizer.apply_chat_template(
        talk, tokenize=False, add_generation_prompt=answering, enable_thinking=False
    )


def to_examples(tokenizer, talks: list[Talk], longest: int) -> tuple[list[Example], int]:
    """Examples of at most `longest` tokens, and how many talks did not fit even without their beginnings."""
    examples = [_fitting(tokenizer, talk, longest) for talk in talks]
    return [one for one in examples if one is not None], sum(one is None for one in examples)


def _fitting(tokenizer, talk: Talk, longest: int) -> Example | None:
    """The oldest turns give way first; what tells the model who it is stays."""
    while True:
        example = to_example(tokenizer, talk)
        if len(example.tokens) <= longest:
            return example
        first = 1 if talk[0]["role"] == "system" else 0
        # A talk goes on from a turn of the other side, and ends with the owner's.
        rest = next((at for at in range(first + 1, len(talk) - 1) if talk[at]["role"] == "user"), None)
        if rest is None:
            return None
        talk = talk[:first] + talk[rest:]


def to_example(tokenizer, talk: Talk) -> Example:
    text = render(tokenizer, talk)
    spans = [span for at in range(len(talk)) if (span := _owners_span(tokenizer, talk, at, text))]
    if not spans:
        raise PlainError("Шаблон беседы этой модели не подходит: по нему не видно, где ответ. Возьмите другую модель.")
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    tokens = encoded["input_ids"]
    labels = [IGNORED] * len(tokens)
    for at, (begin, end) in enumerate(encoded["offset_mapping"]):
        # By its end: a token may begin with the space that the template puts before the answer.
        if begin < end and any(start < end <= stop for start, stop in spans):
            labels[at] = tokens[at]
    return Example(tokens, labels)


def _owners_span(tokenizer, talk: Talk, at: int, text: str) -> tuple[int, int] | None:
    """Where in the text turn `at` stands with the mark that ends it; None: it is not the owner's, or the template rewrites it later."""
    if talk[at]["role"] != "assistant" or at == 0:
        return None
    before = render(tokenizer, talk[:at], answering=True)
    content = talk[at]["content"]
    if not text.startswith(before) or not text.startswith(content, len(before)):
        return None
    end = len(before) + len(content)
    # The mark is learnt as well, or the twin would never end; a line break behind it is the template's.
    after = render(tokenizer, talk[: at + 1])
    mark = after[end:].rstrip("\n") if text.startswith(after.rstrip("\n")) else ""
    return len(before), end + len(mark)
