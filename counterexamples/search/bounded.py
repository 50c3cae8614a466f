"""Bounded model checking: is there a play of a given length to what is looked for?

The transition relation is unrolled one step at a time in one incremental solver, and each length is asked about before
the next step is added, so the first play found is a shortest one (Biere, Cimatti, Clarke and Zhu, *Symbolic Model
Checking without BDDs*, 1999).  What is refuted at one length is asserted, which spares the solver from refuting it
again.  Every play is replayed by the plain reading before it is returned.

A search that ends at its bound has shown nothing of longer plays, except where no play is that long.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from counterexamples.search._smt_solver import (
    Budget,
    EngineDisagreementError,
    Limits,
    Questioner,
    Sat,
    Unknown,
    Unsat,
)
from model.readings.evaluate import ReplayError, Valuation, replay
from model.readings.smt import Lowering
from model.system import Code, Monitor, Path, TransitionSystem
from model.terms import FALSE, or_

__all__ = [
    "BoundedOutcome", "BoundedSearch", "Depth", "EngineDisagreementError", "Exhausted", "Found", "Limits", "Overflow",
    "Undecided", "bounded_search", "confirm", "domain_fault", "shows",
]


class Overflow(enum.Enum):
    """Whether a play within the bound has a step that would leave a declared range, and so was not followed."""

    IMPOSSIBLE = "no step can leave a declared range"
    POSSIBLE = "a step can leave a declared range, and was not followed"
    UNKNOWN = "whether a step can leave a declared range is not known"


@dataclass(frozen=True, slots=True)
class Found:
    """A shortest play to what a monitor looks for, replayed by the plain reading."""

    monitor: str
    path: Path


@dataclass(frozen=True, slots=True)
class Exhausted:
    """No play of at most ``depth`` steps reaches what a monitor looks for.

    Parameters
    ----------
    monitor
        The name of the monitor.
    depth
        The number of steps.
    complete
        Whether no play is longer than that.
    overflow
        Whether steps had to be left out.
    """

    monitor: str
    depth: int
    complete: bool
    overflow: Overflow


@dataclass(frozen=True, slots=True)
class Undecided:
    """The search ended without an answer.

    Parameters
    ----------
    monitor
        The name of the monitor.
    depth
        The number of steps up to which nothing was found; -1 if not even the initial states were decided.
    why
        What ended the search.
    """

    monitor: str
    depth: int
    why: str


BoundedOutcome = Found | Exhausted | Undecided


@dataclass(frozen=True, slots=True)
class Depth:
    """Progress: plays of this many steps are being looked at, for this many monitors."""

    depth: int
    open_monitors: int


def shows(system: TransitionSystem, monitor: Monitor, path: Path) -> bool:
    """Whether a play ends with what a monitor looks for, by the plain reading.

    Raises
    ------
    ReplayError
        If the path is not a play of the system.
    """
    steps = replay(system, path)
    last: tuple[Code, ...] = steps[-1].after if steps else path.initial
    if Valuation(system, last).value(monitor.on_state):
        return True
    return bool(steps) and bool(Valuation(system, steps[-1].before).value(monitor.on_step.get(steps[-1].action, FALSE)))


def confirm(system: TransitionSystem, monitors: Sequence[Monitor], path: Path) -> list[Monitor]:
    """The monitors for which a play found by a solver is evidence.

    Raises
    ------
    EngineDisagreementError
        If there is none, or the path is not a play.
    """
    try:
        found = [monitor for monitor in monitors if shows(system, monitor, path)]
    except ReplayError as error:
        raise EngineDisagreementError(f"the plain reading refuses a play of the symbolic one: {error}") from error
    if not found:
        raise EngineDisagreementError(f"a play of the symbolic reading shows nothing in the plain one: {path}")
    return found


def domain_fault(lowering: Lowering, budget: Budget) -> str | None:
    """Why the domains of a system cannot be trusted, if so: a step that leaves them is no step to the solver."""
    escapes = or_(*(lowering.escapes(action) for action in range(len(lowering.system.actions))))
    if escapes is FALSE:
        return None
    asker = Questioner(lowering.context, budget)
    asker.add(lowering.domain(0), lowering.term(escapes))
    match asker.ask():
        case Unsat():
            return None
        case Sat():
            return "a step can write a value outside the domain of its variable"
        case Unknown(why):
            return why


def bounded_search(
    system: TransitionSystem,
    monitors: Sequence[Monitor],
    *,
    depth: int,
    limits: Limits | None = None,
    progress: Callable[[Depth], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[BoundedOutcome, ...]:
    """Look for shortest plays of at most ``depth`` steps.

    Parameters
    ----------
    system
        The system.
    monitors
        What to look for; the names must be distinct.
    depth
        The largest number of steps of a play.
    limits
        What the search may cost.
    progress
        Told of each length before it is looked at.
    stop
        Asked often; the search ends when it says true.

    Returns
    -------
    tuple of BoundedOutcome
        What became of each monitor, in their order.

    Raises
    ------
    ValueError
        If the depth is negative, two monitors have one name, or the system has no initial state.
    EngineDisagreementError
        If the plain reading refuses a play.
    """
    search = BoundedSearch(system, monitors, Budget(limits or Limits(), stop))
    return search.extend(depth, progress)


@dataclass(slots=True)
class BoundedSearch:
    """A bounded search that can go on: the unrolling so far, the monitors still open, and what was settled.

    Parameters
    ----------
    system
        The system.
    monitors
        What to look for; the names must be distinct.
    budget
        What may be spent.
    """

    system: TransitionSystem
    monitors: Sequence[Monitor]
    budget: Budget
    _open: dict[str, Monitor] = field(init=False)
    _settled: dict[str, Found | Undecided] = field(init=False, default_factory=dict)
    _done: int = field(init=False, default=-1)
    _complete: bool = field(init=False, default=False)
    _overflow: Overflow = field(init=False, default=Overflow.IMPOSSIBLE)
    _lowering: Lowering = field(init=False)
    _asker: Questioner = field(init=False)

    def __post_init__(self) -> None:
        self._open = {monitor.name: monitor for monitor in self.monitors}
        if len(self._open) != len(self.monitors):
            raise ValueError(f"monitors must have distinct names, not {[monitor.name for monitor in self.monitors]}")
        self._lowering = Lowering(self.system)
        self._asker = Questioner(self._lowering.context, self.budget)
        self._asker.add(self._lowering.domain(0), self._lowering.init(0))

    def extend(self, depth: int, progress: Callable[[Depth], None] | None = None) -> tuple[BoundedOutcome, ...]:
        """Look at plays of up to ``depth`` steps, without those that were looked at before.

        Returns
        -------
        tuple of BoundedOutcome
            What became of each monitor, in their order.
        """
        if depth < 0:
            raise ValueError(f"depth must be at least 0, not {depth!r}")
        while self._open and self._done < depth and not self._complete:
            now = self._done + 1
            if progress is not None:
                progress(Depth(now, len(self._open)))
            if now == 1 and (why := domain_fault(self._lowering, self.budget)) is not None:
                self._give_up(why, 0)
                break
            if now:
                self._watch_overflow(now - 1)
                self._asker.add(self._lowering.transition(now - 1), self._lowering.domain(now))
            self._complete = self._look(now)
            self._done = now
        return tuple(self._settled.get(m.name) or self._exhausted(m.name, depth) for m in self.monitors)

    def _exhausted(self, name: str, depth: int) -> Exhausted:
        complete = self._complete and self._done <= depth
        return Exhausted(name, self._done if complete else depth, complete, self._overflow)

    def _look(self, now: int) -> bool:
        """Settle every open monitor that plays of this length can show.  Returns whether there is no such play."""
        lowering = self._lowering
        signs = {name: self._sign(monitor, now) for name, monitor in self._open.items()}
        while self._open:
            literal = self._asker.literal(f"shown@{now} by {len(self._open)}")
            self._asker.add(lowering.any_of([z3.Not(literal), *(signs[name] for name in self._open)]))
            match self._asker.ask(literal):
                case Sat(model):
                    path = lowering.path(model, now)
                    for monitor in confirm(self.system, list(self._open.values()), path):
                        self._settled[monitor.name] = Found(monitor.name, path)
                        del self._open[monitor.name]
                case Unsat():
                    self._asker.add(*(z3.Not(signs[name]) for name in self._open))
                    return isinstance(self._asker.ask(), Unsat)
                case Unknown(why):
                    self._give_up(why, now - 1)
        return False

    def _sign(self, monitor: Monitor, now: int) -> Any:
        """That a play of this length ends with what a monitor looks for."""
        lowering = self._lowering
        parts = [lowering.term(monitor.on_state, now)]
        if now:
            parts += [
                lowering.all_of([lowering.takes(action, now - 1), lowering.term(condition, now - 1)])
                for action, condition in monitor.on_step.items()
            ]
        return lowering.any_of(parts)

    def _watch_overflow(self, now: int) -> None:
        """Whether a step from this moment may overflow; asked before the step is added, which excludes it."""
        overflows = self._lowering.overflows()
        if overflows is FALSE or self._overflow is Overflow.POSSIBLE:
            return
        literal = self._asker.literal(f"overflow@{now}")
        self._asker.add(z3.Or(z3.Not(literal), self._lowering.term(overflows, now)))
        match self._asker.ask(literal):
            case Sat():
                self._overflow = Overflow.POSSIBLE
            case Unknown():
                self._overflow = Overflow.UNKNOWN
            case Unsat():
                pass

    def _give_up(self, why: str, depth: int) -> None:
        for name in self._open:
            self._settled[name] = Undecided(name, depth, why)
        self._open.clear()
