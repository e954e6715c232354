"""
Puts a random adapter on a model and writes it as the training does: `random_voice.py BASE.gguf OUT.gguf`. Prints what PyTorch foretells
after some tokens with and without it (JSON), for whoever reads the file with llama.cpp to compare.
"""

import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch

import adapter_gguf
import training
from base_model import open_base

SETTINGS = training.Settings(
    rank=4, alpha=6.0, epochs=1, rate=1e-3, batch=2, seed=7, minutes=math.inf, save_memory=False, dropout=0.0
)


def main(base: str, out: str) -> None:
    _, model = open_base(base, "cpu")
    model.eval()
    tokens = [1, 94, 120, 118, 104, 117, 96, 259, 275, 276, 268, 262]
    read = torch.tensor([tokens])
    with torch.inference_mode():
        without = model(input_ids=read).logits[0, -1].softmax(-1)
    model = training.with_adapter(model, SETTINGS).eval()
    for name, value in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(value, std=0.2)
    with torch.inference_mode():
        foretold = model(input_ids=read).logits[0, -1].softmax(-1)
    config = model.get_base_model().config
    kind = config.model_type
    tensors = adapter_gguf.tensors_for_llama_cpp(
        training.adapter_weights(model), kind, config.num_attention_heads, config.num_key_value_heads
    )
    file = {"architecture": adapter_gguf.check_architecture(kind), "alpha": SETTINGS.alpha}
    adapter_gguf.write_adapter(Path(out), tensors, name="random", base=adapter_gguf.base_weights(Path(base)), **file)
    adapter_gguf.check_adapter(Path(out), tensors, **file)
    print(json.dumps({"tokens": tokens, "with": foretold.tolist(), "without": without.tolist()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
