"""A second look at what a search has found: the plain reading checks that it is closed.

That nothing can be reached is a claim about a set of states: the initial ones are in it, no step leads out of it, and
nothing that was looked for is in it or on a step from it.  Whoever has the set can check the claim without the search
that made it, as a certificate is checked.  Of a large set a sample is looked at, evenly spread over the depths.

What is shared with the search is the system and nothing else: successors come from the plain reading, and states are
compared whole, without the table in which the search looked them up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from counterexamples.search._results import Exploration
from model.readings.evaluate import Refusal, Valuation
from model.system import Code, Monitor, TransitionSystem
from model.terms import FALSE

if TYPE_CHECKING:
    from counterexamples.search._native import NativeSearch
    from counterexamples.search._plain import PlainSearch

__all__ = ["audit_search"]

_State = tuple[Code, ...]


def audit_search(search: PlainSearch | NativeSearch, found: Exploration, sample: int) -> None:
    """Look at a sample of the states that a search has found.

    Parameters
    ----------
    search
        A search that has explored everything.
    found
        What it says.
    sample
        How many states to look at; all of them if there are no more.

    Raises
    ------
    EngineDisagreementError
        If the plain reading finds something that the search has missed.
    """
    system = search.task.system
    looked_for = [monitor for monitor in search.task.monitors if monitor.name not in found.hits]
    look = _Look(system, looked_for, found)
    for index in _spread(found.states, sample):
        if search.task.limits.stop is not None and search.task.limits.stop():
            break
        look.at(search.codes(index))
    for state in itertools.islice(system.initial_states(), sample):
        look.reached.setdefault(state, "it is an initial state")
    for state in search.missing(look.reached):
        _disagree(system, state, f"the explorer missed a state: {look.reached[state]}")


def _spread(number: int, sample: int) -> Iterator[int]:
    """Of so many, a sample with even gaps, the first included."""
    sample = min(number, sample)
    return (i * number // sample for i in range(sample))


@dataclass(frozen=True, slots=True)
class _Look:
    """What the plain reading sees; ``reached`` has every successor, with how it is reached."""

    system: TransitionSystem
    monitors: list[Monitor]
    found: Exploration
    reached: dict[_State, str] = field(default_factory=dict)

    def at(self, state: _State) -> None:
        """Look at a state and at every step from it."""
        here = Valuation(self.system, state)
        for monitor in self.monitors:
            if here.value(monitor.on_state):
                _disagree(self.system, state, f"the explorer saw no {monitor.name!r}, but found a state that shows it")
        stuck = True
        for index in range(len(self.system.actions)):
            stuck = not self._step(here, index) and stuck
        if stuck and self.found.deadlock is None and not here.value(self.system.terminal):
            _disagree(self.system, state, "the explorer saw no deadlock, but found a state that is one")

    def _step(self, here: Valuation, index: int) -> bool:
        """Look at a step by one action.  Returns whether it is enabled."""
        action = self.system.actions[index]
        after = here.successor(action)
        if after is Refusal.DISABLED:
            return False
        if isinstance(after, Refusal):
            if not self.found.overflows:
                _disagree(self.system, here.state, f"the explorer saw no step leave a declared range: {action.label}")
            return True
        if not self.found.fired[index]:
            _disagree(self.system, here.state, f"the explorer never followed what can be done: {action.label}")
        for monitor in self.monitors:
            if here.value(monitor.on_step.get(index, FALSE)):
                _disagree(self.system, here.state, f"the explorer saw no {monitor.name!r}: {action.label}")
        self.reached.setdefault(after, f"{action.label} leads to it")
        return True


def _disagree(system: TransitionSystem, state: _State, what: str) -> NoReturn:
    from counterexamples.search._smt_solver import EngineDisagreementError  # its module imports a solver

    raise EngineDisagreementError(f"{system.name}: {what}; the state is {state}")
