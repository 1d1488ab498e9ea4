"""`lexical-hash`: the deterministic stand-in for an embedding, a hashed bag of words of unit length."""

import zlib
from collections.abc import Sequence

import numpy as np

from bench.public.systems.embedding import Vectors
from bench.public.systems.imitations.memind_words import words

#: Buckets that words are hashed into; the publication gives no number, this is that of its commercial embedding.
WIDTH = 1024


def embed(texts: Sequence[str]) -> Vectors:
    """Return one row a text: each word adds 1 to its bucket, then the row is divided by its length."""
    rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in words(text):
            row[zlib.crc32(word.encode("utf-8")) % WIDTH] += 1
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)
