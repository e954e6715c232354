import tempfile
import unittest
from pathlib import Path

import numpy as np

from adapter_gguf import check_adapter, check_architecture, interleaved, tensors_for_llama_cpp, write_adapter
from plain_error import PlainError

RANK, WIDTH, HEADS, KEY_HEADS = 3, 16, 4, 2
FILE = {"architecture": "llama", "alpha": 6.0}


def weights(seed: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    name = "base_model.model.model.layers.1.self_attn.{}.lora_{}.weight"
    made = {}
    for projection, rows in (("q_proj", WIDTH), ("k_proj", WIDTH // 2), ("o_proj", WIDTH)):
        made[name.format(projection, "A")] = random.normal(size=(RANK, WIDTH)).astype(np.float32)
        made[name.format(projection, "B")] = random.normal(size=(rows, RANK)).astype(np.float32)
    return made


class ForLlamaCpp(unittest.TestCase):
    def test_rows_of_a_head_go_from_halves_to_pairs(self):
        rows = np.arange(8).reshape(8, 1)
        self.assertEqual(interleaved(rows, 2).ravel().tolist(), [0, 2, 1, 3, 4, 6, 5, 7])

    def test_the_product_is_permuted_as_the_weight_that_it_is_added_to(self):
        given = weights()
        tensors = tensors_for_llama_cpp(given, "llama", HEADS, KEY_HEADS)
        for projection, short, heads in (("q_proj", "attn_q", HEADS), ("k_proj", "attn_k", KEY_HEADS)):
            a, b = (given[f"base_model.model.model.layers.1.self_attn.{projection}.lora_{side}.weight"] for side in "AB")
            product = tensors[f"blk.1.{short}.weight.lora_b"] @ tensors[f"blk.1.{short}.weight.lora_a"]
            np.testing.assert_allclose(product, interleaved(b @ a, heads), rtol=1e-5)
            self.assertFalse(np.allclose(product, b @ a))

    def test_other_projections_and_other_models_keep_their_order(self):
        given = weights()
        output = given["base_model.model.model.layers.1.self_attn.o_proj.lora_B.weight"]
        query = given["base_model.model.model.layers.1.self_attn.q_proj.lora_B.weight"]
        llama = tensors_for_llama_cpp(given, "llama", HEADS, KEY_HEADS)
        np.testing.assert_array_equal(llama["blk.1.attn_output.weight.lora_b"], output)
        qwen = tensors_for_llama_cpp(given, "qwen2", HEADS, KEY_HEADS)
        np.testing.assert_array_equal(qwen["blk.1.attn_q.weight.lora_b"], query)

    def test_a_model_or_a_part_that_is_not_known_is_refused(self):
        with self.assertRaisesRegex(PlainError, "вида gpt2"):
            check_architecture("gpt2")
        with self.assertRaisesRegex(PlainError, "embed_tokens"):
            tensors_for_llama_cpp({"base_model.model.model.embed_tokens.lora_A.weight": np.zeros((1, 1))}, "llama", 1, 1)


class TheFile(unittest.TestCase):
    def setUp(self):
        self.path = Path(tempfile.mkdtemp()) / "voice.gguf"
        self.tensors = tensors_for_llama_cpp(weights(), "llama", HEADS, KEY_HEADS)
        write_adapter(self.path, self.tensors, name="n", **FILE)

    def test_what_was_written_is_read_again(self):
        check_adapter(self.path, self.tensors, **FILE)

    def test_a_file_with_other_numbers_or_of_another_model_is_not_taken_for_whole(self):
        other = tensors_for_llama_cpp(weights(2), "llama", HEADS, KEY_HEADS)
        fewer = dict(list(self.tensors.items())[:-1])
        for tensors, file in ((other, FILE), (fewer, FILE), (self.tensors, {**FILE, "architecture": "qwen2"}), (self.tensors, {**FILE, "alpha": 1.0})):
            with self.assertRaises(PlainError):
                check_adapter(self.path, tensors, **file)

    def test_numbers_that_are_none_are_refused(self):
        broken = {**self.tensors, "blk.1.attn_q.weight.lora_a": self.tensors["blk.1.attn_q.weight.lora_a"] * np.nan}
        write_adapter(self.path, broken, name="n", **FILE)
        with self.assertRaises(PlainError):
            check_adapter(self.path, broken, **FILE)
