"""The steps between states, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Edges"]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Steps in compressed sparse rows.

    Attributes
    ----------
    offsets
        Shape (states + 1,): the steps of state *i* are those from ``offsets[i]`` to before ``offsets[i + 1]``.
    targets
        Shape (steps,): where each leads.
    actions
        Shape (steps,): which action each takes; ascending within a state.
    """

    offsets: NDArray[np.int64]
    targets: NDArray[np.uint32]
    actions: NDArray[np.uint16]

    def sources(self) -> NDArray[np.int64]:
        """Where each step starts."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def leading_to(self, goal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """From which states some steps, or none, lead to a state of the goal."""
        order = np.argsort(self.targets, kind="stable")
        sources = self.sources()[order]
        first = np.searchsorted(self.targets[order], np.arange(len(goal) + 1))
        reaching = goal.copy()
        frontier = np.flatnonzero(goal)
        while len(frontier):
            lengths = first[frontier + 1] - first[frontier]
            starts = np.repeat(first[frontier] - np.cumsum(lengths) + lengths, lengths)
            before = np.unique(sources[starts + np.arange(len(starts))])
            frontier = before[~reaching[before]]
            reaching[frontier] = True
        return reaching
