"""Guesses at lemmas: what never happens together.

The weakest lemmas that help are of the form "``x`` is never ``a`` while ``y`` is ``b``", and the clauses of that form
are few for each pair of variables.  Random plays show which combinations do happen; the others are candidates, and
Houdini sorts out those that the plays have only missed.  For an integer the candidate is a bound on what the plays have
shown of it while ``y`` is ``b``.

Pairs are tried in the order of how near they are to the property: by the number of updates and guards between the
property and the variables, then by whether the two are read or written by one action, and share an object.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Hashable, Iterator
from itertools import combinations

import numpy as np

from model.readings.evaluate import Refusal, Valuation
from model.state import Variable
from model.system import Action, Code, Monitor, TransitionSystem
from model.terms import FALSE, INT, Term, and_, eq, le, not_, number, variables

__all__ = ["candidate_lemmas"]

_MOST_VARIABLES = 120
"""Pairs are made of so many variables, those nearest to the property."""

_LENGTHS = (10, 20, 40)
"""How many steps a random play may have: short ones show how plays start, long ones where they lead."""


def candidate_lemmas(
    system: TransitionSystem,
    monitor: Monitor,
    *,
    max_candidates: int,
    steps: int = 4000,
    seed: int = 0,
) -> tuple[Monitor, ...]:
    """Candidates that no random play refutes.

    Parameters
    ----------
    system
        The system.
    monitor
        The property that they are to help with.
    max_candidates
        How many to return at most; those nearest to the property.
    steps, seed
        How many steps to make in random plays, and with which seed.

    Returns
    -------
    tuple of Monitor
        The states that are thought to be unreachable.
    """
    seen = _Seen(system, _random_states(system, steps, random.Random(seed)))
    found: dict[Term, Monitor] = {}
    for group in _groups(system, monitor):
        for state in seen.absent(group):
            found.setdefault(state, Monitor(f"{state}", state))
            if len(found) >= max_candidates:
                return tuple(found.values())
    return tuple(found.values())


def _random_states(system: TransitionSystem, steps: int, choose: random.Random) -> set[tuple[Code, ...]]:
    """States on random plays, short and long, each step by an action that is drawn until one can be taken."""
    states: set[tuple[Code, ...]] = set()
    order = list(range(len(system.actions)))
    while steps > 0:
        state = tuple(choose.choice(system.initial[v]) for v in system.variables)
        states.add(state)
        for _ in range(choose.choice(_LENGTHS)):
            steps -= 1
            here = Valuation(system, state)
            choose.shuffle(order)
            after = next((s for a in order if not isinstance(s := here.successor(system.actions[a]), Refusal)), None)
            if after is None:
                break
            state = after
            states.add(state)
    return states


def _groups(system: TransitionSystem, monitor: Monitor) -> Iterator[tuple[Variable, ...]]:
    """Single variables, then pairs, nearest to the property first."""
    distance = _distances(system, monitor)
    near = sorted(distance, key=lambda v: (distance[v], system.position[v]))[:_MOST_VARIABLES]
    yield from ((variable,) for variable in near)
    touched = [_touched(action) for action in system.actions]

    def rank(pair: tuple[Variable, Variable]) -> tuple[int, int, bool]:
        one, other = pair
        sizes = (len(keys) for keys in touched if one in keys and other in keys)
        apart = set(one.index).isdisjoint(other.index)
        return distance[one] + distance[other], min(sizes, default=len(system.variables) + 1), apart

    yield from sorted(combinations(near, 2), key=rank)


def _touched(action: Action) -> set[Hashable]:
    """The variables that an action reads or writes."""
    return {*variables([action.guard, *action.updates.values()]), *action.updates}


def _distances(system: TransitionSystem, monitor: Monitor) -> dict[Variable, int]:
    """How many updates are between the property and each variable of its cone of influence."""
    writers: dict[Hashable, list[Term]] = {}
    for action in system.actions:
        for variable, term in action.updates.items():
            writers.setdefault(variable, []).extend((action.guard, term))
    roots = [monitor.on_state, *monitor.on_step.values(), *(system.actions[a].guard for a in monitor.on_step)]
    distance: dict[Variable, int] = {}
    steps = 0
    while roots:
        new = [key for key in variables(roots) if key not in distance]
        distance.update((system.variables[system.position[key]], steps) for key in new)
        roots = [term for key in new for term in writers.get(key, ())]
        steps += 1
    return distance


class _Seen:
    """What the variables were in some states."""

    def __init__(self, system: TransitionSystem, states: Collection[tuple[Code, ...]]) -> None:
        self._system = system
        table = np.array(list(states), dtype=np.int64).reshape(len(states), len(system.variables))
        self._column = {v: table[:, i] for i, v in enumerate(system.variables)}

    def absent(self, group: tuple[Variable, ...]) -> Iterator[Term]:
        """What was not seen of a variable, or of two that it was seen of each by itself."""
        integers = [v for v in group if v.domain.sort is INT]
        match group:
            case (one,):
                yield from self._alone(one)
            case (one, other) if len(integers) == 2:
                yield from self._ordered(one, other)
            case (one, other) if not integers:
                yield from self._together(one, other)
            case (one, other):
                yield from self._bounded(integers[0], other if integers[0] is one else one)

    def _alone(self, one: Variable) -> Iterator[Term]:
        domain, column = self._system.domains[one], self._column[one]
        if domain.sort is INT:
            yield from _beyond(domain.term(one), int(column.min()), int(column.max()))
            return
        codes = set(column.tolist())
        yield from (eq(domain.term(one), domain.constant(code)) for code in domain.codes() if code not in codes)

    def _together(self, one: Variable, other: Variable) -> Iterator[Term]:
        first, second = self._system.domains[one], self._system.domains[other]
        seen = np.zeros((first.last + 1, second.last + 1), dtype=np.bool_)
        seen[self._column[one], self._column[other]] = True
        absent = ~seen & seen.any(axis=1, keepdims=True) & seen.any(axis=0, keepdims=True)
        for a, b in np.argwhere(absent):
            yield and_(eq(first.term(one), first.constant(int(a))), eq(second.term(other), second.constant(int(b))))

    def _bounded(self, integer: Variable, other: Variable) -> Iterator[Term]:
        domain, column = self._system.domains[other], self._column[integer]
        term, least, most = self._system.read(integer), int(column.min()), int(column.max())
        for code in domain.codes():
            there = column[self._column[other] == code]
            if len(there):
                low, high = int(there.min()), int(there.max())
                case = eq(domain.term(other), domain.constant(code))
                yield from (and_(case, outside) for outside in _beyond(term, low, high, least, most))

    def _ordered(self, one: Variable, other: Variable) -> Iterator[Term]:
        for small, large in ((one, other), (other, one)):
            excess = not_(le(self._system.read(small), self._system.read(large)))
            if excess is not FALSE and (self._column[small] <= self._column[large]).all():
                yield excess


def _beyond(term: Term, low: int, high: int, least: int | None = None, most: int | None = None) -> Iterator[Term]:
    """That an integer is below ``low``, or above ``high``, if it can be and these are not its known bounds."""
    if low > (term.low if least is None else least):
        yield le(term, number(low - 1))
    if high < (term.high if most is None else most):
        yield le(number(high + 1), term)
