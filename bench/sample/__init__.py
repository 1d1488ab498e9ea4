"""The bundled sample: an invented ferry company's notes, and session logs in a client's true format."""

from pathlib import Path

#: The sample project's root; `notes/` and `logs/` lie in it.
ROOT = Path(__file__).parent

__all__ = ["ROOT"]
