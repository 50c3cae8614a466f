"""How to check: one frozen value, passed down and echoed in the result document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from counterexamples.search.explore import Progress

__all__ = ["ENGINES", "Engine", "Options"]

Engine = Literal["auto", "explore", "bounded", "induction"]
ENGINES: tuple[Engine, ...] = ("auto", "explore", "bounded", "induction")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to check.

    Parameters
    ----------
    engine
        ``auto`` explores, and proves by induction what exploring could not exhaust.
    depth
        How many steps bounded search goes.
    max_states
        When exploring gives up.
    max_seconds
        When any engine gives up on a scenario.
    audit
        How many states the plain reading looks at, to check what an engine says cannot happen: a sample of those that
        exploring has found, or the first that bounded search speaks of.  An inductive proof has its certificate.
    progress, stop
        Called, and asked, a few times per second.
    """

    engine: Engine = "auto"
    depth: int = 8
    max_states: int = 3_000_000
    max_seconds: float = 120.0
    audit: int = 1_000
    progress: Callable[[Progress], None] | None = None
    stop: Callable[[], bool] | None = None
