"""The whole relation: every chapter of the rulebook, and a scenario's transition system."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from model.families import OVER
from model.grounding import Recorder, ground
from model.peek import Peek
from model.rules import (
    abilities,
    casting,
    combat,
    conceding,
    looking,
    priority,
    resolving,
    special_actions,
    state_based_actions,
)
from model.setup import Setup
from model.state import Domain, Schema, State, Variable
from model.system import Candidate, TransitionSystem

__all__ = ["actions", "build_system"]


def actions(peek: Peek) -> Iterator[Candidate]:
    """Everything that may be done, in the order that breaks ties between plays of one length."""
    beginning = (casting, special_actions, abilities, resolving, combat)
    for chapter in (*beginning, looking, conceding, priority, state_based_actions):
        yield from chapter.actions(peek)


def build_system(name: str, setup: Setup, schema: Schema | None = None, *, recorder: Recorder = State,
                 around: Callable[[Candidate], Candidate] | None = None) -> TransitionSystem:
    """The transition system of a scenario.

    Parameters
    ----------
    name
        The scenario's name.
    setup
        Its fixed part.
    schema
        Where its variables come from; systems are compared term by term if they share one.
    recorder
        Makes what the rules write to.
    around
        What to make of each candidate before its rule is run; None for the candidate as it is.
    """
    schema = schema or Schema(setup)

    def candidates(domain: Callable[[Variable], Domain]) -> Iterator[Candidate]:
        found = actions(Peek(schema, domain))
        return found if around is None else map(around, found)

    return ground(name, schema, candidates, terminal=(OVER,), recorder=recorder)
