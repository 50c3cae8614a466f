"""The model without one of its rules.

A rule acts where it is named: as a conjunct of a guard, which it then restricts, or by a citation, and what a step does
from there to the end of the block or function is what the rule brings about.  Leaving a rule out therefore needs no
second model: a recorder that hears its number drops the conjunct, or what follows the citation.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import FrameType
from typing import Any

from model.game import build_system
from model.setup import Setup
from model.state import Schema, State, Variable
from model.system import Candidate, TransitionSystem
from model.terms import FALSE, Term, not_

__all__ = ["Role", "Weakening", "build_without"]


class Role(enum.Enum):
    """How a rule acts."""

    RESTRICTS = "restricts"
    """It is a conjunct of a guard: without it more can be done."""
    PERMITS = "permits"
    """A step is taken under it: without it less can be done."""
    PRESCRIBES = "prescribes"
    """It says what happens in a step, or what something is: without it the step does less."""
    WEAKENED = "weakened"
    """A planted fault puts a wrong rule in its place."""


@dataclass(frozen=True, slots=True)
class Weakening:
    """A rule to do without.

    Parameters
    ----------
    rule
        Its number.
    guards
        Whether to drop what it forbids; else what it permits and prescribes.
    """

    rule: str
    guards: bool


@dataclass(slots=True)
class _Dropped:
    """A citation whose consequences are dropped: where it stands, under which condition, and whether it had any."""

    frame: FrameType
    block: tuple[object, ...]
    path: Term
    idle: bool = True


class _Recorder(State):
    """A recorder that does without a rule."""

    __slots__ = ("_blocks", "_dropped", "_roles", "_weakening")

    def __init__(self, schema: Schema, read: Callable[[Variable], Term], weakening: Weakening,
                 roles: set[Role]) -> None:
        super().__init__(schema, read)
        self._weakening = weakening
        self._roles = roles
        self._blocks: tuple[object, ...] = ()
        self._dropped: list[_Dropped] = []

    @contextmanager
    def when(self, condition: Term) -> Iterator[bool]:
        before = self._blocks
        self._blocks = (*before, object())
        try:
            with super().when(condition) as live:
                yield live
        finally:
            self._blocks = before

    def require(self, condition: Term, says: str, rule: str) -> None:
        if self._weakening.guards and rule == self._weakening.rule:
            self._roles.add(Role.RESTRICTS)
        elif not self._is_dropped():
            super().require(condition, says, rule)

    def cite(self, *rules: str) -> None:
        if self._is_dropped():
            return
        if not self._weakening.guards and self._weakening.rule in rules and self.path is not FALSE:
            self._dropped.append(_Dropped(sys._getframe(1), self._blocks, self.path))
        # It is still named: what is asked is whether anything misses what it does, not its number.
        super().cite(*rules)

    def under(self, rule: str, condition: Term) -> Term:
        if self._weakening.guards or rule != self._weakening.rule or condition is FALSE:
            return super().under(rule, condition)
        self._roles.add(Role.PRESCRIBES)
        return FALSE

    def _another(self) -> State:
        return _Recorder(self.schema, self._read, self._weakening, self._roles)

    def __setitem__(self, key: tuple[Any, ...], value: object) -> None:
        if not self._is_dropped():
            super().__setitem__(key, value)

    def emit(self, kind: enum.Enum, *subjects: Any) -> None:
        if not self._is_dropped():
            super().emit(kind, *subjects)

    def exceed(self, condition: Term) -> None:
        if not self._is_dropped():
            super().exceed(condition)

    def _is_dropped(self) -> bool:
        """Whether the rule is at work from which a citation that was left out leads here."""
        if not self._dropped:
            return False
        callers = set(_callers())
        for entry in self._dropped:
            if entry.frame in callers and self._blocks[: len(entry.block)] == entry.block:
                entry.idle = entry.idle and self.path is FALSE
                return True
        return False

    def finish(self) -> None:
        """Decide what becomes of a step that was taken under the rule.

        Raises
        ------
        model.state.Disabled
            If nothing is left of it.
        """
        for entry in self._dropped:
            if entry.idle or not self.writes:
                # All that hangs on the citation is that the step may be taken at all.
                self._roles.add(Role.PERMITS)
                State.require(self, not_(entry.path), f"no step is taken under {self._weakening.rule}", "")
            else:
                self._roles.add(Role.PRESCRIBES)
        self._dropped.clear()


def _callers() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        yield frame
        frame = frame.f_back


def build_without(name: str, setup: Setup, weakening: Weakening,
                  schema: Schema | None = None) -> tuple[TransitionSystem, frozenset[Role]]:
    """The transition system of a scenario without a rule, and how the rule acts there."""
    roles: set[Role] = set()

    def to_the_end(candidate: Candidate) -> Candidate:
        return replace(candidate, run=partial(_to_the_end, candidate.run))

    def recorder(schema: Schema, read: Callable[[Variable], Term]) -> State:
        return _Recorder(schema, read, weakening, roles)

    system = build_system(name, setup, schema, recorder=recorder, around=to_the_end)
    return system, frozenset(roles)


def _to_the_end(run: Callable[[State], None], state: State) -> None:
    run(state)
    assert isinstance(state, _Recorder)
    state.finish()
