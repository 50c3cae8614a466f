"""What a user can get wrong.

    FacedownError
    +-- InputError           a file that cannot be used: card, scenario, trace (exit code 15)
    |   +-- UnsupportedError something that the vocabulary lacks, with the name of what is missing
    +-- UsageError           a command line that asks for something that does not exist (exit code 2)

Each carries where it was found and what is accepted.  Anything else that is raised is a fault of the program.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["FacedownError", "InputError", "Span", "UnsupportedError", "UsageError", "look_up", "nearest"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class FacedownError(Exception):
    """Base of everything that a user can cause."""


class UsageError(FacedownError):
    """The command line asks for something that does not exist."""


class InputError(FacedownError):
    """A file cannot be used.

    Parameters
    ----------
    message
        What was found and what is accepted.
    span
        Where; None where there is no file.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(f"{span}: {message}" if span else message)
        self.message = message
        self.span = span


class UnsupportedError(InputError):
    """A card or scenario needs something that the vocabulary does not have."""


def nearest(word: str, known: Iterable[str]) -> str:
    """A suggestion to append to a message: the nearest known word, or nothing."""
    words = list(known)
    lowered = {w.lower(): w for w in words}
    found = difflib.get_close_matches(word.lower(), list(lowered), 1, cutoff=0.5)
    return f"; did you mean {lowered[found[0]]!r}?" if found else ""


def look_up(what: str, name: str, known: Mapping[str, _T]) -> _T:
    """What is known by a name.

    Parameters
    ----------
    what
        What kind of thing it is, for the message.

    Raises
    ------
    UsageError
        If there is none, naming the nearest.
    """
    if name not in known:
        raise UsageError(f"there is no {what} {name!r}{nearest(name, known)}")
    return known[name]
