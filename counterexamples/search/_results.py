"""What the two back ends of the explicit search take and return."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from model.system import Monitor, Path, TransitionSystem
from model.terms import Term

__all__ = ["Build", "Cut", "Exploration", "Limits", "Pace", "Patience", "Progress", "Task"]

_SECONDS_BETWEEN_REPORTS = 0.25


class Cut(enum.Enum):
    """Why a search ended before all was explored."""

    STATES = "the limit of states was reached"
    SECONDS = "the time limit was reached"
    STOPPED = "it was asked to stop"
    ALL_HIT = "everything that was looked for was found"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is.

    Attributes
    ----------
    states
        Distinct states found.
    transitions
        Steps followed.
    depth
        Steps to the farthest state found.
    waiting
        States found and not expanded.
    states_per_second
        Since the search began.
    """

    states: int
    transitions: int
    depth: int
    waiting: int
    states_per_second: float


@dataclass(frozen=True, slots=True)
class Build:
    """How the native back end stored and compiled a system.

    Attributes
    ----------
    bits
        Of a state, without padding.
    words
        64-bit words of a state.
    compile_seconds
        What turning the system into machine code took.
    bytes_per_state
        Allocated for each state found, hash table included.
    table_load
        The used part of the hash table.
    """

    bits: int
    words: int
    compile_seconds: float
    bytes_per_state: float
    table_load: float


@dataclass(frozen=True, slots=True)
class Exploration:
    """The outcome of an explicit search, the same for both readings but for ``seconds``, ``reading`` and ``build``.

    Attributes
    ----------
    reading
        ``"plain"`` or ``"native"``: what ran.
    states
        Distinct states found.
    initial
        Initial states generated; they are not among the transitions.
    transitions
        Steps followed, those to known states included: the sum of ``fired``.
    depth
        Steps to the farthest state found.
    complete
        Whether every state found was expanded.  Steps that overflow are not followed: see ``overflows``.
    cut
        Why not; None if complete.
    overflows
        Enabled actions that were not followed because they would leave a declared range.
    hits
        A shortest play to each monitor that hit, by its name; its last step is the one looked for, if it was a step.
    fired
        Steps followed, by action.
    deadlock
        A shortest play to a state that is not terminal and enables no action.
    seconds
        What the search took, in all.
    build
        Facts about the native back end; None if the plain reading did it all.
    """

    reading: str
    states: int
    initial: int
    transitions: int
    depth: int
    complete: bool
    cut: Cut | None
    overflows: int
    hits: Mapping[str, Path]
    fired: tuple[int, ...]
    deadlock: Path | None
    seconds: float
    build: Build | None = None

    @property
    def generated(self) -> int:
        """States generated, the initial ones included."""
        return self.initial + self.transitions


@dataclass(frozen=True, slots=True)
class Limits:
    """When to end, and whom to tell.

    Parameters
    ----------
    max_states
        Expand no further state once so many are found.
    deadline
        The value of ``time.perf_counter()`` at which to end.
    progress
        Called a few times per second.
    stop
        Asked a few times per second whether to end.
    stop_when_all_hit
        Whether to end once every monitor has hit, if there are any.
    """

    max_states: int | None = None
    deadline: float | None = None
    progress: Callable[[Progress], None] | None = None
    stop: Callable[[], bool] | None = None
    stop_when_all_hit: bool = False


@dataclass(frozen=True, slots=True)
class Patience:
    """How many successors a search may generate, and for how long, before another back end begins again."""

    successors: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Task:
    """A search to do."""

    system: TransitionSystem
    monitors: Sequence[Monitor]
    limits: Limits
    start: float

    def conditions(self) -> Iterator[Term]:
        """Every condition that a monitor looks for."""
        for monitor in self.monitors:
            yield monitor.on_state
            yield from monitor.on_step.values()


@dataclass(slots=True)
class Pace:
    """Reports progress and asks whether to end, not too often."""

    limits: Limits
    start: float
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        self._next = self.start + _SECONDS_BETWEEN_REPORTS

    def cut(self, states: int, transitions: int, depth: int, expanded: int) -> Cut | None:
        """Report if it is time to.  Returns why to end, if there is a reason outside the search."""
        now = time.perf_counter()
        if self.limits.deadline is not None and now >= self.limits.deadline:
            return Cut.SECONDS
        if now < self._next:
            return None
        self._next = now + _SECONDS_BETWEEN_REPORTS
        if self.limits.progress is not None:
            speed = states / max(now - self.start, 1e-9)
            self.limits.progress(Progress(states, transitions, depth, states - expanded, speed))
        return Cut.STOPPED if self.limits.stop is not None and self.limits.stop() else None

