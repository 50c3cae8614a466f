"""What several tests of scripted plays share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from model.documents import Document, load_documents

__all__ = ["ROOT", "play_documents"]

ROOT = Path(__file__).parent


def play_documents(folder: str) -> Iterator[Document]:
    """Every scripted scenario below a folder of the tests, in a fixed order."""
    for path in sorted((ROOT / folder).rglob("*.yaml")):
        for document in load_documents(path):
            if "play" in document.data or "expect" in document.data:
                yield document
