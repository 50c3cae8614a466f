"""Explicit breadth-first search: every reachable state, and a shortest play to whatever is looked for.

Two back ends give the same results.  The plain one evaluates terms and starts at once; the native one compiles the
system first, which pays for itself after some tens of thousands of steps.  Both number states in the order in which
they are found, by parent and then by action, so that both find the same plays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from counterexamples.search._audit import audit_search
from counterexamples.search._plain import PlainSearch
from counterexamples.search._results import (
    Build,
    Cut,
    Exploration,
    Limits,
    Patience,
    Progress,
    Task,
)
from model.system import Code, Monitor, Path, TransitionSystem
from model.terms import Term

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    from counterexamples.search._edges import Edges
    from counterexamples.search._native import NativeSearch

__all__ = [
    "Build", "Cut", "Exploration", "GraphTooLargeError", "Progress", "ReachableGraph", "explore", "reachable_graph",
]

_PATIENCE = Patience(successors=20_000, seconds=0.8)
"""When compiling is expected to be quicker than going on; it takes about as long as this."""


class GraphTooLargeError(RuntimeError):
    """A system has more reachable states than a graph of it may have."""


@dataclass(frozen=True, slots=True, eq=False)
class ReachableGraph:
    """Every reachable state and every step between them; states are numbered from 0 as a search finds them.

    Attributes
    ----------
    system
        The system.
    exploration
        What the search found.  Steps that would overflow are not in the graph.
    edges
        The steps.
    """

    system: TransitionSystem
    exploration: Exploration
    edges: Edges
    _search: PlainSearch | NativeSearch = field(repr=False)

    def __len__(self) -> int:
        return self.exploration.states

    def state(self, index: int) -> tuple[Code, ...]:
        """The codes of a state."""
        return self._search.codes(index)

    def path(self, index: int) -> Path:
        """A shortest play to a state."""
        return self._search.path(index)

    def holding(self, condition: Term) -> NDArray[np.bool_]:
        """Shape (states,): of which states a condition holds."""
        return self._search.holding(condition)

    def leading_to(self, goal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Shape (states,): from which states some play leads to a state of the goal, which itself counts."""
        return self.edges.leading_to(goal)

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """A graph over the numbers of states, with the index of the action on each edge."""
        import networkx as nx

        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
        graph.add_nodes_from(range(len(self)))
        ends = zip(self.edges.sources().tolist(), self.edges.targets.tolist(), strict=True)
        actions = self.edges.actions.tolist()
        graph.add_edges_from((*pair, {"action": action}) for pair, action in zip(ends, actions, strict=True))
        return graph


def explore(
    system: TransitionSystem,
    monitors: Sequence[Monitor] = (),
    *,
    reading: Literal["auto", "plain", "native"] = "auto",
    max_states: int | None = None,
    max_seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    stop_when_all_hit: bool = False,
    audit: int = 0,
) -> Exploration:
    """Explore the reachable states.

    Parameters
    ----------
    system
        What to explore.
    monitors
        What to look for, with distinct names.  One that has hit costs nothing more.
    reading
        The back end; ``"auto"`` starts with the plain one and begins again with the native one if it does not end
        soon.
    max_states
        Expand no further state once so many are found; a few more may be found than this.
    max_seconds
        End after this time; it is looked at a few times per second, and not while the system is compiled.
    progress
        Called a few times per second.
    stop
        Asked a few times per second whether to end.
    stop_when_all_hit
        End once every monitor has hit, when the state that is being expanded is done.
    audit
        Of how many of the states found the plain reading checks, after a search that was complete, that the search
        has followed every step and seen what it looked for.

    Returns
    -------
    Exploration
        What was found, and whether it is everything.

    Raises
    ------
    ValueError
        If an argument is out of range or two monitors have one name.
    EngineDisagreementError
        If the audit finds something that the search has missed.
    """
    if reading not in ("auto", "plain", "native"):
        raise ValueError(f"reading must be 'auto', 'plain' or 'native' (got {reading!r})")
    for name, bound in (("max_states", max_states), ("max_seconds", max_seconds)):
        if bound is not None and bound <= 0:
            raise ValueError(f"{name} must be positive (got {bound!r})")
    if len({monitor.name for monitor in monitors}) < len(monitors):
        raise ValueError(f"two monitors have one name among {[monitor.name for monitor in monitors]}")
    start = time.perf_counter()
    deadline = None if max_seconds is None else start + max_seconds
    limits = Limits(max_states, deadline, progress, stop, stop_when_all_hit)
    search, found = _search(system, monitors, reading, limits, start)
    if audit and found.complete:
        audit_search(search, found, audit)
    return found


def _search(
    system: TransitionSystem, monitors: Sequence[Monitor], reading: str, limits: Limits, start: float
) -> tuple[PlainSearch | NativeSearch, Exploration]:
    task = Task(system, monitors, limits, start)
    if reading != "native":
        plain = PlainSearch(task)
        result = plain.run(None if reading == "plain" else _PATIENCE)
        if result is not None:
            return plain, result
    from model.readings.native import compile_system

    with ThreadPoolExecutor(1) as pool:
        native = pool.submit(compile_system, system, list(task.conditions()))
        # Imports another compiler, which takes as long as LLVM takes for the system.
        from counterexamples.search._native import NativeSearch

        search = NativeSearch(task)
        return search, search.run(native.result(), pool)


def reachable_graph(
    system: TransitionSystem, limit: int = 1_000_000, *, reading: Literal["auto", "plain", "native"] = "auto"
) -> ReachableGraph:
    """Every reachable state and every step between them.

    Parameters
    ----------
    system
        What to explore.
    limit
        How many states the graph may have.
    reading
        As for :func:`explore`.

    Raises
    ------
    GraphTooLargeError
        If there are more states than that.
    """
    # One more than may be: a search that ends with exactly so many is complete.
    search, exploration = _search(system, (), reading, Limits(max_states=limit + 1), time.perf_counter())
    if not exploration.complete or exploration.states > limit:
        raise GraphTooLargeError(f"{system.name} has more than {limit} reachable states")
    return ReachableGraph(system, exploration, search.edges(), search)
