"""What must stay possible: from every reachable state some play reaches a goal.

Decided on the whole graph of reachable states, by going backwards from the goal.
"""

from __future__ import annotations

import numpy as np

from counterexamples.explain import TraceMaker
from counterexamples.options import Options
from counterexamples.search.explore import Exploration, GraphTooLargeError, reachable_graph
from counterexamples.verdict import HoldsTo, Proved, Undecided, Verdict, Violated
from model.system import TransitionSystem
from properties.kinds import Instance

__all__ = ["always_possible"]


def always_possible(traces: TraceMaker, system: TransitionSystem, instance: Instance, found: Exploration,
                    options: Options) -> Verdict:
    """Whether the goal stays in reach.

    Parameters
    ----------
    system
        The sliced system.
    found
        What exploring it gave; only a whole graph can be judged.
    """
    if not found.complete:
        return Undecided("what must stay possible can only be judged when every reachable state has been found")
    try:
        graph = reachable_graph(system, options.max_states)
    except GraphTooLargeError as problem:
        return Undecided(str(problem))
    stuck = np.flatnonzero(~graph.leading_to(graph.holding(instance.target.on_state)))
    if found.overflows:
        left_out = f"{found.overflows:,} steps left a declared range and were not followed"
        if stuck.size:
            return Undecided(f"out of reach from {stuck.size:,} states, but {left_out}")
        return HoldsTo(f"{found.states:,} states; {left_out}", found.states, found.depth)
    if stuck.size:
        return Violated(traces.trace(instance, graph.path(int(stuck[0])), "violated"))
    return Proved("exhaustive", found.states)
