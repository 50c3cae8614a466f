"""The closed union of outcomes, and the exit codes that follow from them.

Nothing here or elsewhere returns None for "no counterexample", and what an engine could not decide is a value.  The
exit code of a run is computed from the list of verdicts and from nothing else.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, assert_never

from counterexamples.trace import Trace

__all__ = ["ExitCode", "HoldsTo", "Proved", "Undecided", "Unreachable", "Vacuous", "Verdict", "VerdictWord", "Violated",
           "Witnessed", "exit_code", "word", "worst"]


class ExitCode(enum.IntEnum):
    """What the process returns.  Never 1, which Python uses for an uncaught exception."""

    OK = 0
    USAGE = 2
    VIOLATED = 10
    UNDECIDED = 11
    VACUOUS = 12
    DISAGREEMENT = 13
    UNEXPECTED = 14
    BAD_INPUT = 15
    INTERNAL = 70

    @property
    def says(self) -> str:
        """What it means."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.OK: "everything held as asked",
    ExitCode.USAGE: "the command line asks for something that does not exist",
    ExitCode.VIOLATED: "a property is violated",
    ExitCode.UNDECIDED: "something could not be decided, or the run was interrupted",
    ExitCode.VACUOUS: "a property says nothing here, or what should be possible is not",
    ExitCode.DISAGREEMENT: "evidence was refused, or two engines disagree",
    ExitCode.UNEXPECTED: "an outcome differs from the recorded expectation",
    ExitCode.BAD_INPUT: "a card, scenario or trace cannot be used; the message says where",
    ExitCode.INTERNAL: "a fault of the program or of its model",
}

_WORST_FIRST = (ExitCode.INTERNAL, ExitCode.DISAGREEMENT, ExitCode.BAD_INPUT, ExitCode.VIOLATED, ExitCode.VACUOUS,
                ExitCode.UNDECIDED, ExitCode.UNEXPECTED, ExitCode.USAGE, ExitCode.OK)


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds of every play.

    Parameters
    ----------
    how
        ``exhaustive``, ``by construction`` or ``inductive``.
    states
        How many states were explored; 0 where none had to be.
    certificate
        For an inductive proof, what another solver can check, as SMT-LIB text by name.
    """

    how: str
    states: int = 0
    certificate: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HoldsTo:
    """No violation was found within a bound; not a proof.

    Parameters
    ----------
    bound
        In words: what was searched, and what was left out.
    states, depth
        How far the search went.
    """

    bound: str
    states: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Violated:
    """A play breaks it; no shorter one does."""

    trace: Trace


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A play shows that it can happen; no shorter one does."""

    trace: Trace


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Nothing within the whole state space shows it."""

    states: int


@dataclass(frozen=True, slots=True)
class Vacuous:
    """It says nothing here: its premise never occurs, or it mentions constants only."""

    why: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """The engines could not tell."""

    why: str


Verdict = Proved | HoldsTo | Violated | Witnessed | Unreachable | Vacuous | Undecided
VerdictWord = Literal["proved", "holds_to_bound", "violated", "witnessed", "unreachable", "vacuous", "undecided"]


def word(verdict: Verdict) -> VerdictWord:
    """The name of the outcome in tables and documents."""
    match verdict:
        case Proved():
            return "proved"
        case HoldsTo():
            return "holds_to_bound"
        case Violated():
            return "violated"
        case Witnessed():
            return "witnessed"
        case Unreachable():
            return "unreachable"
        case Vacuous():
            return "vacuous"
        case Undecided():
            return "undecided"
        case _:
            assert_never(verdict)


def exit_code(verdict: Verdict) -> ExitCode:
    """What one verdict means for the run."""
    match verdict:
        case Proved() | HoldsTo() | Witnessed():
            return ExitCode.OK
        case Violated():
            return ExitCode.VIOLATED
        case Unreachable() | Vacuous():
            return ExitCode.VACUOUS
        case Undecided():
            return ExitCode.UNDECIDED
        case _:
            assert_never(verdict)


def worst(codes: Iterable[ExitCode]) -> ExitCode:
    """The code that a run returns: the worst one present."""
    present = set(codes)
    return next((code for code in _WORST_FIRST if code in present), ExitCode.OK)
