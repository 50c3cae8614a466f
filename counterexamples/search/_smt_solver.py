"""Asking Z3, within limits, so that an answer can never be taken for another.

Z3 says ``unknown`` when a limit is spent, when it is interrupted and when a theory is too hard for it, and hands over
its last model or core if it is asked.  Here a model comes with :class:`Sat` only, a core with :class:`Unsat` only, and
:class:`Unknown` says why.  The solver is the one for finite domains (``QF_FD``), which is the fastest of Z3's on these
formulas, but answers ``unknown`` between ``push`` and ``pop``; so every query is made of assumptions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, assert_never

import z3

__all__ = [
    "Answer", "Budget", "EngineDisagreementError", "Limits", "Questioner", "Sat", "Unknown", "Unsat", "explain",
    "solver",
]

_POLL_SECONDS = 0.05


class EngineDisagreementError(AssertionError):
    """The plain reading refuses what the solver has found: one of the two readings is wrong."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a search may cost; what is None is not limited.

    Parameters
    ----------
    resources
        Units of Z3's resource counter, for the whole search.  Unlike time, it gives the same result on every machine.
    seconds
        Wall time for the whole search.

    Raises
    ------
    ValueError
        If a limit is not positive.
    """

    resources: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("resources", "seconds"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"{name} must be positive or None, not {value!r}")


@dataclass(frozen=True, slots=True)
class Sat:
    """There is a model."""

    model: Any


@dataclass(frozen=True, slots=True)
class Unsat:
    """There is no model, and the assumptions with these names are enough to say so."""

    core: frozenset[str]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave no answer."""

    why: str


Answer = Sat | Unsat | Unknown


def solver(context: Any, logic: str) -> Any:
    """A Z3 solver for a logic."""
    return z3.SolverFor(logic, ctx=context)


@dataclass(slots=True)
class Budget:
    """What is left of the limits of one search, over all its solvers.

    Parameters
    ----------
    limits
        What the search may cost.
    stop
        Asked before each query and every now and then during it; the search ends when it says true.
    """

    limits: Limits = field(default_factory=Limits)
    stop: Callable[[], bool] | None = None
    spent: int = 0
    _begun: float = field(init=False, default_factory=time.monotonic)

    def exhausted(self) -> str | None:
        """Why no more may be asked, if so."""
        if self.stop is not None and self.stop():
            return "the search was told to stop"
        if self.limits.resources is not None and self.spent >= self.limits.resources:
            return f"the limit of {self.limits.resources} solver resources is spent"
        if self.seconds_left() <= 0:
            return self.out_of_time()
        return None

    def out_of_time(self) -> str:
        """That the wall time is spent."""
        return f"the limit of {self.limits.seconds} seconds is spent"

    def seconds_left(self) -> float:
        """Wall time left; infinite if not limited."""
        if self.limits.seconds is None:
            return float("inf")
        return self.limits.seconds - (time.monotonic() - self._begun)

    def apply(self, asked: Any) -> None:
        """Tell a Z3 solver what its next query may cost."""
        if self.limits.resources is not None:
            asked.set("rlimit", min(self.limits.resources - self.spent, 0xFFFFFFFF))
        if self.limits.seconds is not None:
            asked.set("timeout", max(1, min(int(self.seconds_left() * 1000), 0x7FFFFFFF)))


@dataclass(slots=True)
class Questioner:
    """An incremental solver that is asked under assumptions.

    Parameters
    ----------
    context
        The Z3 context of everything that is added.
    budget
        What may be spent, shared with the other solvers of the search.
    logic
        The logic for which Z3 makes the solver.
    """

    context: Any
    budget: Budget
    logic: str = "QF_FD"
    _solver: Any = field(init=False)
    _counted: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._solver = solver(self.context, self.logic)
        self._solver.check()  # the counter shows up in the statistics after a query only
        self._counted = self._counter()

    def add(self, *formulas: Any) -> None:
        """Assert formulas for good."""
        self._solver.add(*formulas)

    def literal(self, name: str) -> Any:
        """A truth value to assume in queries."""
        return z3.Bool(name, self.context)

    def ask(self, *assumptions: Any) -> Answer:
        """Whether what was added has a model under the assumptions, which are literals.

        Raises
        ------
        KeyboardInterrupt
            If the user interrupts the query; Z3 itself would only say that it does not know.
        """
        if (why := self.budget.exhausted()) is not None:
            return Unknown(why)
        result = self.raw(*assumptions)
        if result == z3.sat:
            return Sat(self._solver.model())
        if result == z3.unsat:
            return Unsat(frozenset(str(literal) for literal in self._solver.unsat_core()))
        return self.unknown()

    def raw(self, *assumptions: Any) -> Any:
        """What Z3 says, which is for the caller to read; limits that are spent are not looked at before."""
        self.budget.apply(self._solver)
        with self._watched():
            result = self._solver.check(*assumptions)
        self._count()
        return result

    def unknown(self) -> Unknown:
        """Why Z3 gave no answer to the last query.

        Raises
        ------
        KeyboardInterrupt
            If it was interrupted by the user.
        """
        why = self._solver.reason_unknown()
        if "keyboard" in why:
            raise KeyboardInterrupt
        # The solver counts in whole milliseconds, so its clock may run out just before the budget's.
        solver_says = self.budget.out_of_time() if why == "timeout" else f"the solver says: {why}"
        return Unknown(self.budget.exhausted() or solver_says)

    def _counter(self) -> int:
        """What Z3's resource counter of the context stands at."""
        return int(dict(iter(self._solver.statistics())).get("rlimit count", 0))

    def _count(self) -> None:
        total = self._counter()
        self.budget.spent += total - self._counted
        self._counted = total

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Interrupt the query as soon as the search is told to stop."""
        stop = self.budget.stop
        if stop is None:
            yield
            return
        done = threading.Event()

        def watch() -> None:
            while not done.wait(_POLL_SECONDS):
                if stop():
                    self.context.interrupt()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


def explain(answer: Answer) -> str:
    """An answer in SMT-LIB's words."""
    match answer:
        case Sat():
            return "sat"
        case Unsat():
            return "unsat"
        case Unknown(why):
            return f"unknown ({why})"
        case _:
            assert_never(answer)
