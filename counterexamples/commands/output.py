"""Where ``--json`` and ``--csv`` go."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["write_document"]


def write_document(text: str, path: str) -> None:
    """Write a document to a file, or to standard output for ``-``.

    Raises
    ------
    model.errors.InputError
        If the file cannot be written.
    """
    from counterexamples.report import Report
    from model.errors import InputError, Span

    if path == "-":
        Report(sys.stdout).raw(text + "\n")
        return
    try:
        Path(path).write_text(text + "\n", encoding="utf-8")
    except OSError as problem:
        raise InputError(f"cannot be written: {problem.strerror}", Span(path)) from None
