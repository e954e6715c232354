"""Trains a LoRA adapter on the owner's turns, and stops where the checking part no longer gets better."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from torch.nn.functional import cross_entropy

from adapter_gguf import PROJECTIONS
from plain_error import PlainError
from turns import IGNORED, Example


@dataclass(frozen=True)
class Settings:
    rank: int
    alpha: float
    epochs: float
    rate: float
    """Of learning; rises, then falls to zero along a cosine."""
    batch: int
    """Talks to a step."""
    seed: int
    minutes: float
    """Begins no step after so many."""
    save_memory: bool
    patience: int = 3
    """Checks in a row that may bring nothing."""
    checks_an_epoch: int = 4
    dropout: float = 0.05


@dataclass(frozen=True)
class Course:
    steps: int
    best_step: int
    before: float
    """Mean loss of a token of the owner's turns in the checking part, in nats."""
    after: float
    seconds: float
    stopped: str
    """"epochs", "worse", "time" or "asked"."""


def with_adapter(model, settings: Settings):
    torch.manual_seed(settings.seed)
    wanted = [name.split(".")[1] for name in PROJECTIONS]
    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=wanted,
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, config)
    if settings.save_memory:
        adapted.enable_input_require_grads()
        adapted.gradient_checkpointing_enable({"use_reentrant": False})
    return adapted


def train(
    model,
    train_part: list[Example],
    test_part: list[Example],
    settings: Settings,
    say: Callable[[str], None],
    asked_to_stop: Callable[[], bool] = lambda: False,
) -> Course:
    """`model` is left with the weights of its best check; no worse than without an adapter, for that is the first check."""
    generator = random.Random(settings.seed)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=settings.rate, weight_decay=0.0)
    an_epoch = math.ceil(len(train_part) / settings.batch)
    total = max(1, round(an_epoch * settings.epochs))
    between = max(1, an_epoch // settings.checks_an_epoch)
    began = time.monotonic()
    before = best = test_loss(model, test_part, settings.batch)
    best_step, best_weights, useless, stopped = 0, _copy_of(model), 0, "epochs"
    say(f"шаг 0 из {total}: ошибка на проверке {before:.3f}")
    batches = endless_batches(train_part, settings.batch, generator)
    model.train()
    step, losses = 0, []
    while step < total:
        passed = time.monotonic() - began
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * share_of_rate(max(step / total, passed / (settings.minutes * 60)))
        losses.append(_learn(model, next(batches), optimizer, trained))
        step += 1
        passed = time.monotonic() - began
        late, asked = passed > settings.minutes * 60, asked_to_stop()
        if step % between and step < total and not late and not asked:
            continue
        loss = test_loss(model, test_part, settings.batch)
        if not math.isfinite(loss):
            raise PlainError("Обучение разошлось: уменьшите --rate вдвое и начните снова.")
        learning = sum(losses) / len(losses)
        say(f"шаг {step} из {total}, {passed / 60:.0f} мин: ошибка при обучении {learning:.3f}, на проверке {loss:.3f}")
        losses = []
        if loss < best:
            best, best_step, best_weights, useless = loss, step, _copy_of(model), 0
        else:
            useless += 1
        if useless >= settings.patience:
            stopped = "worse"
            break
        if late or asked:
            stopped = "time" if late else "asked"
            break
    set_peft_model_state_dict(model, best_weights)
    return Course(step, best_step, before, best, time.monotonic() - began, stopped)


def share_of_rate(done: float) -> float:
    """Of the way, 0 to 1: rises over its first twentieth, then falls along a cosine, to a hundredth."""
    if done < 0.05:
        return max(0.01, done / 0.05)
    return max(0.01, 0.5 * (1 + math.cos(math.pi * min(1.0, (done - 0.05) / 0.95))))


def endless_batches(examples: list[Example], size: int, generator: random.Random) -> Iterator[list[Example]]:
    """Every example once, then again in another order. Examples of like lengths stand together: less is filled up."""
    while True:
        order = sorted(examples, key=lambda one: (len(one.tokens), generator.random()))
        batches = [order[at : at + size] for at in range(0, len(order), size)]
        generator.shuffle(batches)
        yield from batches


def _learn(model, batch: list[Example], optimizer, trained) -> float:
    loss = mean_loss(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return loss.item()


def mean_loss(model, batch: list[Example]):
    """Of a token of the owner's turns. Only their hidden states meet the vocabulary, which is most of a small model's work."""
    device = next(model.parameters()).device
    width = max(len(one.tokens) for one in batch)
    tokens = torch.tensor([one.tokens + [0] * (width - len(one.tokens)) for one in batch], device=device)
    labels = torch.tensor([one.labels + [IGNORED] * (width - len(one.labels)) for one in batch], device=device)
    attended = torch.tensor([[1] * len(one.tokens) + [0] * (width - len(one.tokens)) for one in batch], device=device)
    inner = model.get_base_model()
    hidden = inner.model(input_ids=tokens, attention_mask=attended, use_cache=False).last_hidden_state
    # A token is foretold at the place before it.
    wanted = labels[:, 1:]
    chosen = wanted != IGNORED
    return cross_entropy(inner.lm_head(hidden[:, :-1][chosen]).float(), wanted[chosen])


def test_loss(model, examples: list[Example], size: int) -> float:
    learning = model.training
    model.eval()
    total, tokens = 0.0, 0
    order = sorted(examples, key=lambda one: len(one.tokens))
    with torch.inference_mode():
        for at in range(0, len(order), size):
            batch = order[at : at + size]
            learnt = sum(one.learnt for one in batch)
            total += mean_loss(model, batch).item() * learnt
            tokens += learnt
    model.train(learning)
    return total / tokens


def _copy_of(model) -> dict[str, torch.Tensor]:
    # Not the embeddings: peft would ask the hub whether they have changed.
    return {
        name: value.detach().to("cpu", torch.float32, copy=True)
        for name, value in get_peft_model_state_dict(model, save_embedding_layers=False).items()
    }


def adapter_weights(model) -> dict:
    """By peft's names, as numpy arrays."""
    return {name: value.numpy() for name, value in _copy_of(model).items()}
