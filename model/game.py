"""The whole relation: every chapter of the rulebook, and a scenario's transition system."""

from __future__ import annotations

from collections.abc import Iterator

from model.families import OVER
from model.grounding import ground
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
from model.state import Schema
from model.system import Candidate, TransitionSystem

__all__ = ["actions", "build_system"]


def actions(peek: Peek) -> Iterator[Candidate]:
    """Everything that may be done, in the order that breaks ties between plays of one length."""
    beginning = (casting, special_actions, abilities, resolving, combat)
    for chapter in (*beginning, looking, conceding, priority, state_based_actions):
        yield from chapter.actions(peek)


def build_system(name: str, setup: Setup, schema: Schema | None = None) -> TransitionSystem:
    """The transition system of a scenario.

    Parameters
    ----------
    name
        The scenario's name.
    setup
        Its fixed part.
    schema
        Where its variables come from; systems are compared term by term if they share one.
    """
    schema = schema or Schema(setup)
    return ground(name, schema, lambda domain: actions(Peek(schema, domain)), terminal=(OVER,))
