"""The plain back end of the explicit search: the reference for the native one, and quicker on small systems."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from counterexamples.search._results import Cut, Exploration, Pace, Task
from model.readings.evaluate import Refusal, Valuation
from model.system import Code, Path
from model.terms import FALSE

__all__ = ["PlainSearch"]

_STATES_PER_LOOK = 16
"""How many states to expand between two looks at the clock."""


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

    def run(self, budget: int | None = None) -> Exploration | None:
        """Search to the end; None if more than ``budget`` successors were generated before."""
        limits = self.task.limits
        pace = Pace(limits, self.task.start)
        cut: Cut | None = None
        for state in self.task.system.initial_states():
            self.initial += 1
            if state not in self.states:
                self._add(state, -1, -1)
        self._level_end = len(self.found)
        while self.head < len(self.found):
            if self._all_hit():
                cut = Cut.ALL_HIT
            elif limits.max_states is not None and len(self.found) >= limits.max_states:
                cut = Cut.STATES
            elif self.head % _STATES_PER_LOOK == 0:
                cut = pace.cut(len(self.found), self.transitions, self.depth, self.head)
            if cut is not None:
                break
            if budget is not None and self.transitions > budget:
                return None
            self._expand()
        return self._result(cut)

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

    def path(self, number: int) -> Path:
        """A shortest play to the state with this number."""
        actions = []
        parent, action = self.parents[number]
        while parent >= 0:
            actions.append(action)
            number = parent
            parent, action = self.parents[number]
        return Path(self.found[number], tuple(reversed(actions)))

    def _result(self, cut: Cut | None) -> Exploration:
        return Exploration(
            reading="plain", states=len(self.found), initial=self.initial, transitions=self.transitions,
            depth=self.depth, complete=cut is None, cut=cut, overflows=self.overflows, hits=dict(self.hits),
            fired=tuple(self.fired), deadlock=None if self.deadlock is None else self.path(self.deadlock),
            seconds=time.perf_counter() - self.task.start,
        )
