"""Which lines of the model each scenario runs: a change to any other line cannot matter there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from types import FrameType
from typing import Any

from counterexamples.mutation.corpus import documents_of, find_trial, places
from counterexamples.mutation.mutant import Mutant, rule_functions
from model.game import build_system
from model.scenario import build_scenario

__all__ = ["lines_run", "places_of"]


@cache
def lines_run(place: str) -> Mapping[str, frozenset[int]]:
    """The lines that building the system of a scenario runs, by the function in which they stand."""
    names = {source.function.__code__: name for name, source in rule_functions().items()}
    found: dict[str, set[int]] = {}

    def on_call(frame: FrameType, event: str, argument: Any) -> Any:
        # Generators and lambdas count for the function in whose text they stand.
        name = names.get(frame.f_code)
        if name is None:
            return None
        lines = found.setdefault(name, set())

        def on_line(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return on_line

        return on_line

    scenario = build_scenario(documents_of(place)[0][0])
    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        build_system(scenario.name, scenario.setup)
    finally:
        sys.settrace(before)
    return {name: frozenset(lines) for name, lines in found.items()}


def places_of(mutant: Mutant) -> list[str]:
    """The scenarios that run the changed lines, those with the fewest actions first."""
    lines = range(mutant.site.line, mutant.site.last + 1)
    reached = [place for place in places() if not lines_run(place).get(mutant.function, frozenset()).isdisjoint(lines)]
    return sorted(reached, key=lambda place: len(find_trial(place).system.actions))
