"""
Trains a voice: a LoRA adapter that makes a model write as the owner does, from the archive that the platform exports on «Почерк двойника».

    python train_voice.py --talks voice-talks.zip --base Qwen/Qwen3-1.7B --out voice.gguf

Prints how well the owner's words are foretold before and after, and writes a file that the platform takes. See docs/voice-training.md.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from plain_error import PlainError
from talks import Talk, read_file, read_talks

MAX_CHECKED = 300
"""Talks of the checking part that are looked at, the newest: enough to tell better from worse."""

STOPPED = {
    "epochs": "пройдены все круги",
    "worse": "на проверке перестало становиться лучше",
    "time": "вышло отведённое время",
    "asked": "вы прервали обучение",
}


class Arguments(argparse.ArgumentParser):
    def error(self, message: str):
        raise PlainError(f"Неверный запуск ({message}). Список настроек: python train_voice.py --help")


def read_arguments(given: list[str]) -> argparse.Namespace:
    parser = Arguments(description="Обучает почерк двойника: файл, с которым модель пишет как владелец.")
    add = parser.add_argument
    add("--talks", type=Path, required=True, help="архив с платформы или папка с train.jsonl и test.jsonl")
    add("--base", required=True, help="модель: имя на huggingface.co, папка или файл .gguf; та же, что отвечает на платформе")
    add("--out", type=Path, default=Path("voice.gguf"), help="куда записать почерк (voice.gguf)")
    add("--rank", type=int, default=8, help="ранг LoRA, от 1 до 16 (8)")
    add("--epochs", type=float, default=3, help="сколько раз пройти по беседам (3)")
    add("--rate", type=float, default=2e-4, help="скорость обучения (0.0002)")
    add("--batch", type=int, default=8, help="бесед за один шаг (8)")
    add("--longest", type=int, default=512, help="длина беседы в токенах; у длинных отбрасывается начало (512)")
    add("--minutes", type=float, default=math.inf, help="не дольше стольких минут (без предела)")
    add("--seed", type=int, default=1, help="с тем же числом обучение повторится (1)")
    add("--device", choices=["auto", "cpu", "cuda"], default="auto", help="на чём считать (auto: на видеокарте, если есть)")
    add("--save-memory", action="store_true", help="медленнее, но памяти нужно меньше")
    add("--also", type=Path, help="ещё один файл с беседами: только измерить, на обучение не влияет")
    arguments = parser.parse_args(given)
    for name, least, most in (("rank", 1, 16), ("batch", 1, 256), ("longest", 64, 32768), ("epochs", 0.01, 100)):
        if not least <= getattr(arguments, name) <= most:
            raise PlainError(f"--{name} должно быть от {least} до {most}.")
    # Now, not after hours of training.
    if not os.access(arguments.out.absolute().parent, os.W_OK):
        raise PlainError(f"Сюда нельзя записать: {arguments.out.absolute().parent}")
    return arguments


def main(given: list[str]) -> None:
    arguments = read_arguments(given)
    train_talks, test_talks = read_talks(arguments.talks)
    also = read_file(arguments.also) if arguments.also else []
    # Heavy, and not needed to say what is wrong with the arguments.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    if Path(arguments.base).exists():
        # Nothing is asked of the network.
        os.environ["HF_HUB_OFFLINE"] = "1"
    if arguments.base.endswith(".gguf"):
        # Nothing is downloaded, and its unpacking has a progress bar of its own.
        os.environ.setdefault("TQDM_DISABLE", "1")
    try:
        import adapter_gguf
        import training
        from base_model import choose_device, open_base
        from turns import to_examples
    except ImportError as error:
        raise PlainError(f"Не установлен пакет {error.name}. Выполните: pip install -r requirements.txt") from None

    device = choose_device(arguments.device)
    say(f"Открываю модель {arguments.base}: {'видеокарта' if device == 'cuda' else 'процессор'}")
    tokenizer, model = open_base(arguments.base, device)
    kind = model.config.model_type
    architecture = adapter_gguf.check_architecture(kind)

    def prepared(talks: list[Talk], name: str):
        examples, left_out = to_examples(tokenizer, talks, arguments.longest)
        words = f", не поместились: {left_out}" if left_out else ""
        say(f"{name}: бесед {len(examples)}, токенов в ответах {sum(one.learnt for one in examples)}{words}")
        if not examples:
            raise PlainError(f"{name}: ни одна беседа не помещается в {arguments.longest} токенов. Увеличьте --longest.")
        return examples

    settings = training.Settings(
        rank=arguments.rank,
        alpha=2.0 * arguments.rank,
        epochs=arguments.epochs,
        rate=arguments.rate,
        batch=arguments.batch,
        seed=arguments.seed,
        minutes=arguments.minutes,
        save_memory=arguments.save_memory,
    )
    examples = prepared(train_talks, "Обучение"), prepared(test_talks[-MAX_CHECKED:], "Проверка")
    apart = prepared(also, "Отдельно") if also else []
    model = training.with_adapter(model, settings)
    apart_before = training.test_loss(model, apart, settings.batch) if apart else 0.0
    course = training.train(model, *examples, settings, say, stop_by_key())
    say(f"Остановлено: {STOPPED[course.stopped]}. Взят шаг {course.best_step} из {course.steps}, {course.seconds / 60:.1f} мин.\n")
    rows = [("Проверка", course.before, course.after)]
    if apart:
        rows.append(("Отдельно", apart_before, training.test_loss(model, apart, settings.batch)))
    print_table(rows)
    if course.best_step == 0:
        raise PlainError("Обучение не помогло, файл не записан. Нужно больше переписки или модель крупнее.")

    config = model.get_base_model().config
    tensors = adapter_gguf.tensors_for_llama_cpp(
        training.adapter_weights(model), kind, config.num_attention_heads, config.num_key_value_heads
    )
    file = {"architecture": architecture, "alpha": settings.alpha}
    base = adapter_gguf.base_weights(Path(arguments.base))
    adapter_gguf.write_adapter(arguments.out, tensors, name=f"voice for {Path(arguments.base).name}", base=base, **file)
    adapter_gguf.check_adapter(arguments.out, tensors, **file)
    size = arguments.out.stat().st_size / 1e6
    say(f"\nГолос записан и прочитан снова: {arguments.out}, {size:.1f} МБ. Загрузите его на странице «Почерк двойника».")


def stop_by_key() -> Callable[[], bool]:
    """Whether Ctrl+C was pressed: what is learnt so far is checked and kept. Pressed again, it ends at once."""
    pressed = []

    def press(*_) -> None:
        pressed.append(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        say("Заканчиваю шаг и проверяю, что получилось. Ещё раз Ctrl+C — выйти сразу, без файла.")

    signal.signal(signal.SIGINT, press)
    return lambda: bool(pressed)


def print_table(rows: list[tuple[str, float, float]]) -> None:
    """Perplexity: among how many equally likely tokens the model seems to choose each next one."""
    say(f"{'':<10}{'ошибка до':>12}{'после':>9}{'перплексия до':>16}{'после':>9}")
    for name, before, after in rows:
        say(f"{name:<10}{before:>12.3f}{after:>9.3f}{math.exp(before):>16.1f}{math.exp(after):>9.1f}")


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PlainError as error:
        sys.exit(str(error))
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not re.search("out of memory|allocate memory", str(error)):
            raise
        sys.exit("Не хватило памяти. Попробуйте --batch 1, --save-memory, --longest 256 или модель меньше.")
    except KeyboardInterrupt:
        sys.exit("Прервано, файл не записан.")
