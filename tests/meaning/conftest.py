"""A sentence model of two small layers, whose numbers are drawn: its folder has the shape of a real one."""

import json
import struct

import pytest

pytest.importorskip("tokenizers", reason="the extra `meaning` is not installed")
import numpy as np

WORDS = ["the", "canary", "rollback", "deploy", "abort", "error", "budget", "valve", "harbour", "tug", "crew"]
WORDS += ["week", "tomato", "water", "garden", "morning"]
LAYERS, WIDTH, INNER, HEADS = 2, 8, 16, 2


def weights(vocabulary):
    draw = np.random.default_rng(7)

    def some(*shape):
        return draw.normal(0, 0.5, shape).astype(np.float32)

    made = {
        "embeddings.word_embeddings.weight": some(vocabulary, WIDTH),
        "embeddings.position_embeddings.weight": some(32, WIDTH),
        "embeddings.token_type_embeddings.weight": some(2, WIDTH),
        "embeddings.LayerNorm.weight": some(WIDTH) + 1, "embeddings.LayerNorm.bias": some(WIDTH),
    }  # fmt: skip
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            made |= {f"{at}{name}.weight": some(WIDTH, WIDTH), f"{at}{name}.bias": some(WIDTH)}
        made |= {f"{at}intermediate.dense.weight": some(INNER, WIDTH), f"{at}intermediate.dense.bias": some(INNER)}
        made |= {f"{at}output.dense.weight": some(WIDTH, INNER), f"{at}output.dense.bias": some(WIDTH)}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            made |= {f"{at}{name}.weight": some(WIDTH) + 1, f"{at}{name}.bias": some(WIDTH)}
    return made


def safetensors(tensors):
    header, data = {}, b""
    for name, tensor in tensors.items():
        begin = len(data)
        data += tensor.tobytes()
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [begin, len(data)]}
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    return struct.pack("<Q", len(head)) + head + data


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("model")
    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.safetensors").write_bytes(safetensors(weights(len(vocabulary))))
    config = {
        "model_type": "bert", "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "hidden_size": WIDTH,
        "layer_norm_eps": 1e-12, "max_position_embeddings": 32, "hidden_act": "gelu",
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@pytest.fixture
def drawn_weights():
    return weights(4 + len(WORDS))


@pytest.fixture
def written():
    """Writes tensors as a safetensors file holds them."""
    return safetensors
