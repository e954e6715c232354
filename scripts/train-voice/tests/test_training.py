import math
import random
import unittest
from unittest.mock import patch

import numpy as np
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from training import Settings, adapter_weights, endless_batches, mean_loss, share_of_rate, test_loss, train, with_adapter
from turns import IGNORED, Example, to_example, to_examples

TEMPLATE = (
    "{% for message in messages %}<{{ message['role'] }}> {{ message['content'] }} <end>\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant> {% endif %}"
)
SETTINGS = Settings(rank=4, alpha=8.0, epochs=3, rate=2e-2, batch=4, seed=1, minutes=math.inf, save_memory=False)


# What is tried here is too small to be shared among cores.
torch.set_num_threads(1)


def tokenizer() -> PreTrainedTokenizerFast:
    words = ["<unk>", "<", ">", "user", "assistant", "system", "end", *"abcdefgh"]
    built = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>"))
    built.pre_tokenizer = pre_tokenizers.Whitespace()
    made = PreTrainedTokenizerFast(tokenizer_object=built, unk_token="<unk>")
    made.chat_template = TEMPLATE
    return made


def talk(*contents: str, system: str | None = None) -> list[dict[str, str]]:
    roles = ["user", "assistant"] * len(contents)
    turns = [{"role": role, "content": text} for role, text in zip(roles, contents)]
    return turns if system is None else [{"role": "system", "content": system}, *turns]


def tiny_model() -> LlamaForCausalLM:
    torch.manual_seed(3)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    return LlamaForCausalLM(LlamaConfig(vocab_size=20, num_key_value_heads=2, max_position_embeddings=128, **shape))


class OwnersTurns(unittest.TestCase):
    def test_only_the_owners_words_and_the_mark_that_ends_them_are_learnt(self):
        words = tokenizer()
        example = to_example(words, talk("a b", "c d", "e", "f", system="h"))
        learnt = [token for token, label in zip(example.tokens, example.labels) if label != IGNORED]
        self.assertEqual(words.convert_ids_to_tokens(learnt), ["c", "d", "<", "end", ">", "f", "<", "end", ">"])
        self.assertEqual(example.learnt, 9)

    def test_of_a_talk_that_is_too_long_the_beginning_goes_and_who_speaks_stays(self):
        words = tokenizer()
        long = talk("a b c", "d", "e", "f", system="h")
        whole = len(to_example(words, long).tokens)
        (short,), left_out = to_examples(words, [long], whole - 1)
        self.assertEqual(left_out, 0)
        self.assertEqual(short.tokens, to_example(words, talk("e", "f", system="h")).tokens)
        self.assertEqual(to_examples(words, [long], 5), ([], 1))


class Training(unittest.TestCase):
    def setUp(self):
        words = tokenizer()
        # The answer is always the letter behind the question's.
        letters = "abcdefgh"
        pairs = [(letters[at % 7], letters[at % 7 + 1]) for at in range(28)]
        self.examples = [to_example(words, talk(*pair)) for pair in pairs]

    def test_loss_does_not_hang_on_how_examples_are_put_together(self):
        model = with_adapter(tiny_model(), SETTINGS).eval()
        some = [*self.examples[:3], to_example(tokenizer(), talk("a", "b", "c", "d e f g"))]
        alone = sum(mean_loss(model, [one]).item() * one.learnt for one in some) / sum(one.learnt for one in some)
        self.assertAlmostEqual(mean_loss(model, some).item(), alone, places=5)
        self.assertAlmostEqual(test_loss(model, some, 3), alone, places=5)

    def test_it_learns_what_repeats_and_says_the_same_again(self):
        said: list[str] = []
        courses = []
        for _ in range(2):
            model = with_adapter(tiny_model(), SETTINGS)
            courses.append(train(model, self.examples, self.examples[:7], SETTINGS, said.append))
            self.assertAlmostEqual(test_loss(model, self.examples[:7], 4), courses[-1].after, places=5)
        # No more can be had: what gives the words is not trained, and at random.
        self.assertLess(courses[0].after, courses[0].before - 0.2)
        self.assertEqual(courses[0].after, courses[1].after)
        self.assertIn("шаг 0 из 21", said[0])

    def test_what_only_gets_worse_is_stopped_and_nothing_of_it_is_kept(self):
        model = with_adapter(tiny_model(), SETTINGS)
        before = adapter_weights(model)
        with patch("training.test_loss", side_effect=[1.0, 1.1, 1.2, 1.0]):
            course = train(model, self.examples, self.examples, SETTINGS, lambda _: None)
        self.assertEqual((course.best_step, course.steps, course.stopped, course.after), (0, 3, "worse", 1.0))
        for name, value in adapter_weights(model).items():
            np.testing.assert_array_equal(value, before[name])

    def test_an_hour_that_is_over_ends_it_after_a_check(self):
        settings = Settings(**{**SETTINGS.__dict__, "minutes": 1e-9})
        course = train(with_adapter(tiny_model(), settings), self.examples, self.examples, settings, lambda _: None)
        self.assertEqual((course.steps, course.stopped), (1, "time"))

    def test_who_has_seen_enough_keeps_what_is_learnt_so_far(self):
        steps = iter([False, False, True])
        course = train(with_adapter(tiny_model(), SETTINGS), self.examples, self.examples, SETTINGS, lambda _: None, lambda: next(steps))
        self.assertEqual((course.steps, course.stopped), (3, "asked"))
        self.assertLess(course.after, course.before)

    def test_less_memory_gives_the_same_gradients(self):
        gradients = []
        for save_memory in (False, True):
            settings = Settings(**{**SETTINGS.__dict__, "save_memory": save_memory, "dropout": 0.0})
            model = with_adapter(tiny_model(), settings).train()
            mean_loss(model, self.examples[:4]).backward()
            gradients.append([p.grad.clone() for p in model.parameters() if p.requires_grad])
        for plain, saved in zip(*gradients):
            torch.testing.assert_close(plain, saved)


class Order(unittest.TestCase):
    def test_every_example_comes_once_an_epoch(self):
        examples = [Example([1] * (at % 3 + 1), [IGNORED] * (at % 3 + 1)) for at in range(10)]
        batches = endless_batches(examples, 4, random.Random(1))
        seen = [id(one) for _ in range(3) for one in next(batches)]
        self.assertEqual(sorted(seen), sorted(map(id, examples)))

    def test_the_rate_rises_and_falls(self):
        self.assertAlmostEqual(share_of_rate(0.05), 1)
        self.assertLess(share_of_rate(0), 0.1)
        self.assertLess(share_of_rate(1), 0.1)
