"""The plain back end of the explicit search: the reference for the native one, and quicker on small systems."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterexamples.search._results import Cut, Exploration, Pace, Patience, Task
from model.readings.evaluate import Refusal, Valuation
from model.system import Code, Path
from model.terms import FALSE, Term

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from counterexamples.search._edges import Edges

__all__ = ["PlainSearch"]

_STATES_PER_LOOK = 16
"""How many states to handle between two looks at the clock."""


@dataclass(slots=True)
class PlainSearch:
    """A breadth-first search that evaluates terms.

    States are numbered as they are found, in the order of their parents and then of the actions.
    """

    task: Task
    states: dict[tuple[Code, ...], int] = field(default_factory=dict)
    found: list[tuple[Code, ...]] = field(default_factory=list)
    parents: list[tuple[int, int]] = field(default_factory=list)
    hits: dict[str, Path] = field(default_factory=dict)
    fired: list[int] = field(init=False)
    head: int = 0
    depth: int = 0
    initial: int = 0
    overflows: int = 0
    deadlock: int | None = None
    transitions: int = 0
    _level_end: int = 0

    def __post_init__(self) -> None:
        self.fired = [0] * len(self.task.system.actions)

    def run(self, patience: Patience | None = None) -> Exploration | None:
        """Search to the end; None if patience ended before."""
        pace = Pace(self.task.limits, self.task.start)
        cut: Cut | None = None
        for state in self.task.system.initial_states():
            cut = self._cut(pace, self.initial)
            if cut is not None:
                break
            if patience is not None and self._exceeds(patience, self.initial):
                return None
            self.initial += 1
            if state not in self.states:
                self._add(state, -1, -1)
        self._level_end = len(self.found)
        while cut is None and self.head < len(self.found):
            cut = Cut.ALL_HIT if self._all_hit() else self._cut(pace, self.head)
            if cut is not None:
                break
            if patience is not None and self._exceeds(patience, self.head):
                return None
            self._expand()
        return self._result(cut)

    def _cut(self, pace: Pace, turn: int) -> Cut | None:
        """Why to end, asked every turn; the clock is looked at now and then."""
        limit = self.task.limits.max_states
        if limit is not None and len(self.found) >= limit:
            return Cut.STATES
        if turn % _STATES_PER_LOOK == 0:
            return pace.cut(len(self.found), self.transitions, self.depth, self.head)
        return None

    def _exceeds(self, patience: Patience, turn: int) -> bool:
        if self.initial + self.transitions > patience.successors:
            return True
        return turn % _STATES_PER_LOOK == 0 and time.perf_counter() - self.task.start > patience.seconds

    def _all_hit(self) -> bool:
        monitors = self.task.monitors
        return self.task.limits.stop_when_all_hit and 0 < len(monitors) == len(self.hits)

    def _add(self, state: tuple[Code, ...], parent: int, action: int) -> None:
        number = self.states[state] = len(self.found)
        self.found.append(state)
        self.parents.append((parent, action))
        valuation = Valuation(self.task.system, state)
        for monitor in self.task.monitors:
            if monitor.name not in self.hits and valuation.value(monitor.on_state):
                self.hits[monitor.name] = self.path(number)

    def _expand(self) -> None:
        system = self.task.system
        valuation = Valuation(system, self.found[self.head])
        enabled = False
        for index, action in enumerate(system.actions):
            after = valuation.successor(action)
            if after is Refusal.DISABLED:
                continue
            enabled = True
            if after is Refusal.OVERFLOW:
                self.overflows += 1
                continue
            self.fired[index] += 1
            self.transitions += 1
            self._look_at_step(valuation, index)
            if after not in self.states:
                self._add(after, self.head, index)
        if not enabled and self.deadlock is None and not valuation.value(system.terminal):
            self.deadlock = self.head
        self.head += 1
        if self.head == self._level_end and len(self.found) > self.head:
            self._level_end = len(self.found)
            self.depth += 1

    def _look_at_step(self, valuation: Valuation, action: int) -> None:
        for monitor in self.task.monitors:
            if monitor.name not in self.hits and valuation.value(monitor.on_step.get(action, FALSE)):
                before = self.path(self.head)
                self.hits[monitor.name] = Path(before.initial, (*before.actions, action))

    def path(self, index: int) -> Path:
        """A shortest play to the state that was found as the one with this index, from 0."""
        actions: list[int] = []
        parent, action = self.parents[index]
        while parent >= 0:
            actions.append(action)
            index = parent
            parent, action = self.parents[index]
        return Path(self.found[index], tuple(reversed(actions)))

    def codes(self, index: int) -> tuple[Code, ...]:
        """The state that was found as the one with this index, from 0."""
        return self.found[index]

    def missing(self, states: Iterable[tuple[Code, ...]]) -> list[tuple[Code, ...]]:
        """Which of these states were not found; they are compared whole."""
        found = set(self.found)
        return [state for state in states if state not in found]

    def holding(self, condition: Term) -> NDArray[np.bool_]:
        """Of which states a condition holds, in the order in which they were found."""
        import numpy as np  # needed by nobody who only searches

        return np.array([Valuation(self.task.system, s).value(condition) for s in self.found], np.bool_)

    def edges(self) -> Edges:
        """The steps that were followed, after a search that was complete."""
        import numpy as np

        from counterexamples.search._edges import Edges

        system, ends, steps = self.task.system, [0], []
        for state in self.found:
            valuation = Valuation(system, state)
            for index, action in enumerate(system.actions):
                after = valuation.successor(action)
                if not isinstance(after, Refusal):
                    steps.append((self.states[after], index))
            ends.append(len(steps))
        both = np.array(steps, np.uint32).reshape(len(steps), 2)
        return Edges(np.array(ends, np.int64), both[:, 0].copy(), both[:, 1].astype(np.uint16))

    def _result(self, cut: Cut | None) -> Exploration:
        return Exploration(
            reading="plain", states=len(self.found), initial=self.initial, transitions=self.transitions,
            depth=self.depth, complete=cut is None, cut=cut, overflows=self.overflows, hits=dict(self.hits),
            fired=tuple(self.fired), deadlock=None if self.deadlock is None else self.path(self.deadlock),
            seconds=time.perf_counter() - self.task.start,
        )
