"""Text to vector by a BERT encoder, in numpy: tokens, layers, the mean over a text's tokens or its first, length 1.

The texts of a batch stand one behind another, so that no token is spent on padding: what is done token by token is done
for all together, attention text by text. Formulas: Devlin et al. 2019 (BERT) and Hendrycks and Gimpel 2016 (GELU).
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from ladder.meaning.model import TOKENIZER, WEIGHTS, NoModel, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

#: Tokens that go through the layers together: more takes memory and no less time.
BATCH = 1024
_KINDS = {"F32": np.float32, "F16": np.float16}
#: sqrt(2 / pi) and the cubic term of GELU's published approximation; it moves no vector by more than 0.001.
_GELU = 0.7978845608028654
_GELU_CUBE = 0.044715
#: exp of more is beyond the numbers of 32 bits; there GELU is 0.
_GELU_MOST = 80


class Encoder:
    """A model, ready to encode. Its weights are mapped: what is not used is not read."""

    def __init__(self, folder: Path) -> None:
        """Open the model in `folder`.

        Raises:
            NoModel: a file cannot be read, or is of another shape.
        """
        self.folder = folder
        self.shape = shape_of(folder)
        try:
            self._weights = mapped(folder / WEIGHTS)
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:
            # tokenizers raises a bare Exception for a damaged file.
            raise NoModel(f"{folder} cannot be read as a model: {type(error).__name__} {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.shape.longest)
        prefix = next(
            (p for p in ("", "bert.", "roberta.") if f"{p}embeddings.word_embeddings.weight" in self._weights), None
        )
        if prefix is None:
            raise NoModel(f"{folder} holds no BERT encoder")
        self._prefix = prefix

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token numbers of each text, cut off at the model's longest."""
        whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]  # a lone surrogate is no text
        return [each.ids for each in self._tokenizer.encode_batch(whole)]

    def question(self, text: str) -> Floats:
        """Return the vector of a question, with what this model wants before one."""
        found: Floats = self.encode([self.shape.asking + text])[0]
        return found

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of texts that are looked for, as rows, with what this model wants before them."""
        return self.encode([self.shape.asked + text for text in texts] if self.shape.asked else texts)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one vector of length 1 a text, as rows; for no text no rows."""
        found = np.zeros((len(texts), self.shape.width), np.float32)
        if not texts:
            return found
        tokens = self.tokens(texts)
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))
        batch: list[int] = []
        size = 0
        for i in order:
            if batch and size + len(tokens[i]) > BATCH:
                found[batch] = self._batch([tokens[j] for j in batch])
                batch, size = [], 0
            batch.append(i)
            size += len(tokens[i])
        found[batch] = self._batch([tokens[j] for j in batch])
        return found

    def _weight(self, name: str) -> Floats:
        return self._weights[self._prefix + name]

    def _batch(self, texts: list[list[int]]) -> Floats:
        """The vectors of texts given as token numbers."""
        ends = np.cumsum([len(text) for text in texts])
        begins = ends - [len(text) for text in texts]
        ids = np.concatenate([np.asarray(text, np.int64) for text in texts])
        places = np.concatenate([np.arange(len(text)) for text in texts])
        places += self.shape.begins
        x = self._weight("embeddings.word_embeddings.weight")[ids].astype(np.float32)
        x += self._weight("embeddings.position_embeddings.weight")[places]
        x += self._weight("embeddings.token_type_embeddings.weight")[0]
        x = self._norm(x, "embeddings.LayerNorm")
        for layer in range(self.shape.layers):
            at = f"encoder.layer.{layer}."
            x = self._norm(x + self._attention(x, at + "attention.", begins, ends), at + "attention.output.LayerNorm")
            inner = gelu(self._dense(x, at + "intermediate.dense"))
            x = self._norm(x + self._dense(inner, at + "output.dense"), at + "output.LayerNorm")
        found: Floats
        if self.shape.first_alone:
            found = x[begins]
        else:
            found = np.stack([x[begin:end].mean(0) for begin, end in zip(begins, ends, strict=True)])
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return found

    def _dense(self, x: Floats, name: str) -> Floats:
        return x @ self._weight(name + ".weight").T + self._weight(name + ".bias")

    def _norm(self, x: Floats, name: str) -> Floats:
        x -= x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + self.shape.epsilon)
        x *= self._weight(name + ".weight")
        x += self._weight(name + ".bias")
        return x

    def _attention(self, x: Floats, at: str, begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> Floats:
        heads = self.shape.heads
        each = self.shape.width // heads
        query, key, value = (
            self._dense(x, f"{at}self.{part}").reshape(-1, heads, each).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        query *= np.float32(each**-0.5)
        seen = np.empty_like(x)
        for begin, end in zip(begins, ends, strict=True):
            scores = query[:, begin:end] @ key[:, begin:end].transpose(0, 2, 1)
            scores -= scores.max(-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(-1, keepdims=True)
            seen[begin:end] = (scores @ value[:, begin:end]).transpose(1, 0, 2).reshape(end - begin, -1)
        return self._dense(seen, at + "output.dense")


def gelu(x: Floats) -> Floats:
    """Return x * Phi(x), by the approximation with tanh; with exp instead, which takes a third of the time."""
    inner = x * x
    inner *= -2 * _GELU * _GELU_CUBE
    inner += -2 * _GELU
    inner *= x
    np.minimum(inner, _GELU_MOST, out=inner)
    np.exp(inner, out=inner)
    inner += 1
    np.divide(x, inner, out=inner)
    return inner


def mapped(path: Path) -> dict[str, Floats]:
    """Return the tensors of a safetensors file by name, mapped from it; those of other kinds than floats are left out.

    Layout: 8 bytes length, a JSON header with kind, shape and offsets, the numbers (safetensors' own description).

    Raises:
        ValueError: the file is no such file.
    """
    data = np.memmap(path, mode="r", dtype=np.uint8)
    if len(data) < 8:
        raise ValueError("too short")
    (length,) = struct.unpack("<Q", data[:8].tobytes())
    if length > len(data) - 8:
        raise ValueError("the header is longer than the file")
    header = json.loads(data[8 : 8 + length].tobytes())
    found: dict[str, Floats] = {}
    for name, row in header.items():
        if name == "__metadata__" or row["dtype"] not in _KINDS:
            continue
        begin, end = row["data_offsets"]
        tensor = data[8 + length + begin : 8 + length + end].view(_KINDS[row["dtype"]]).reshape(row["shape"])
        found[name] = tensor if row["dtype"] == "F32" else tensor.astype(np.float32)
    return found
