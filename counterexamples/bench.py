"""How fast the native explorer is, on three shipped scenarios of growing size.

What is explored is what a check explores, sliced for the scenario's properties; watching for them is not measured.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from counterexamples.expression_checks import checks_of
from counterexamples.search.explore import Exploration, explore
from model.game import build_system
from model.scenario import Scenario, load_scenarios
from model.system import TransitionSystem, slice_system
from model.terms import subterms
from properties.kinds import instantiate

__all__ = ["SIZES", "Measurement", "measure"]

SIZES = ("small", "medium", "large")


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured of one scenario.

    Attributes
    ----------
    bits, words
        Of a packed state: without padding, and the 64-bit words it takes.
    terms
        Distinct terms in all guards and updates.
    build_seconds
        From the scenario to its transition system.
    compile_seconds
        From there to machine code.
    search_seconds
        Exploring, compiling not counted.
    bytes_per_state
        Allocated for each state found, hash table included.
    table_load
        The used part of the hash table.
    """

    scenario: str
    cards: int
    bits: int
    words: int
    actions: int
    terms: int
    build_seconds: float
    compile_seconds: float
    search_seconds: float
    states: int
    transitions: int
    depth: int
    overflows: int
    states_per_second: int
    transitions_per_second: int
    bytes_per_state: float
    table_load: float


def measure() -> Iterator[Measurement]:
    """Measure each scenario, the smallest first."""
    for size in SIZES:
        path = files("counterexamples") / "benchmarks" / f"{size}.yaml"
        scenario = load_scenarios(str(path), path.read_text(encoding="utf-8"))[0]
        start = time.perf_counter()
        whole = build_system(scenario.name, scenario.setup)
        built = time.perf_counter() - start
        system = _sliced(scenario, whole)
        # That the loop is loaded, once for states of one size, is no cost of the scenario; that it is compiled is.
        first = explore(system, reading="native", max_states=1)
        assert first.build is not None
        cards = len(list(scenario.setup.cards()))
        yield _measurement(cards, system, built, first.build.compile_seconds, explore(system, reading="native"))


def _sliced(scenario: Scenario, system: TransitionSystem) -> TransitionSystem:
    """What a check explores: the system without what neither its rules nor its properties ask for."""
    instances = [instantiate(check.property, system) for check in checks_of(scenario)]
    roots = [term for instance in instances for monitor in instance.monitors
             for term in (monitor.on_state, *monitor.on_step.values())]
    return slice_system(system, roots)


def _measurement(cards: int, system: TransitionSystem, built: float, compiled: float,
                 found: Exploration) -> Measurement:
    build = found.build
    assert build is not None and found.complete
    seconds = max(found.seconds - build.compile_seconds, 1e-9)
    roots = [term for action in system.actions for term in (action.guard, action.overflow, *action.updates.values())]
    return Measurement(
        scenario=system.name, cards=cards, bits=build.bits, words=build.words, actions=len(system.actions),
        terms=sum(1 for _ in subterms(roots)), build_seconds=round(built, 3),
        compile_seconds=round(compiled, 3), search_seconds=round(seconds, 3), states=found.states,
        transitions=found.transitions, depth=found.depth, overflows=found.overflows,
        states_per_second=round(found.states / seconds), transitions_per_second=round(found.transitions / seconds),
        bytes_per_state=round(build.bytes_per_state, 1), table_load=round(build.table_load, 2),
    )
