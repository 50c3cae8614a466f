"""Explicit breadth-first search: every reachable state, and a shortest play to whatever is looked for.

Two back ends give the same results.  The plain one evaluates terms and starts at once; the native one compiles the
system first, which pays for itself after some tens of thousands of steps.  Both number states in the order in which
they are found, by parent and then by action, so that both find the same plays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Literal

from counterexamples.search._plain import PlainSearch
from counterexamples.search._results import (
    Build,
    Cut,
    Exploration,
    Limits,
    Progress,
    Task,
)
from model.system import Monitor, TransitionSystem

__all__ = ["Build", "Cut", "Exploration", "Progress", "explore"]

_PLAIN_BUDGET = 20_000
"""Successors after which compiling is expected to be quicker than going on."""


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

    Returns
    -------
    Exploration
        What was found, and whether it is everything.

    Raises
    ------
    ValueError
        If an argument is out of range or two monitors have one name.
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
    task = Task(system, monitors, Limits(max_states, deadline, progress, stop, stop_when_all_hit), start)
    if reading != "native":
        result = PlainSearch(task).run(None if reading == "plain" else _PLAIN_BUDGET)
        if result is not None:
            return result
    from counterexamples.search._native import NativeSearch  # imports a compiler

    return NativeSearch(task).run()
