"""A play: states, actions, choices and citations, with the property and the verdict inside.

State 0 is the initial state, and step *i* leads to state *i*, in the trace, in its file and on the screen.  Everything
is text and numbers, so that a trace can be saved, sent to another process, and read without the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Beside", "Change", "Trace", "TraceStep"]


@dataclass(frozen=True, slots=True)
class Change:
    """A variable that a step changed, with its values in words."""

    variable: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step.

    Parameters
    ----------
    number
        From 1.
    actor
        The player; None for the game.
    action
        The key of the action's label, unique in the system.
    words
        The action in the game's words.
    arguments
        The choices, by name.
    cites
        The rules that decided this step, in the order in which they came up.
    events
        What happened, in the game's words.
    changes
        What changed, and nothing else: every variable.
    shown
        What changed in the game's words, without the game's bookkeeping.
    state
        The whole state after the step: every variable by name.
    """

    number: int
    actor: str | None
    action: str
    words: str
    arguments: tuple[tuple[str, str], ...]
    cites: tuple[str, ...]
    events: tuple[str, ...]
    changes: tuple[Change, ...]
    shown: tuple[str, ...]
    state: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Beside:
    """The second of two games that a player may not be able to tell apart, and what makes them differ.

    Parameters
    ----------
    player
        The player.
    first, second
        What the hidden cards are in either game.
    initial, steps
        State 0 of the second game, and the same actions there.
    """

    player: str
    first: str
    second: str
    initial: Mapping[str, str]
    steps: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A play that shows something.

    Parameters
    ----------
    scenario, source
        The scenario's name and its text, so that a trace can be replayed by itself.
    property, kind, says, cites
        What it is about.
    verdict
        ``violated``, ``witnessed`` or ``deadlock``.
    clause
        The clause that is false (or shown) at the end, and of what.
    cause
        Why, in one sentence.
    initial
        The whole state 0.
    beside
        For a leak, the other game.
    """

    scenario: str
    source: str
    property: str
    kind: str
    says: str
    cites: tuple[str, ...]
    verdict: str
    clause: str
    cause: str
    initial: Mapping[str, str]
    steps: tuple[TraceStep, ...]
    beside: Beside | None = None
