"""The audit of a search: silent where the search is right, and loud where one step is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings

from counterexamples.search import explore as module
from counterexamples.search._audit import _spread
from counterexamples.search.bounded import EngineDisagreementError
from counterexamples.search.explore import explore, reachable_graph
from model.state import Requirement
from model.system import Monitor, TransitionSystem
from model.terms import FALSE, TRUE
from tests.systems import benchmark_invariant_violation, benchmark_system, monitored_systems

Reading = Literal["plain", "native"]
READINGS: tuple[Reading, ...] = ("plain", "native")
ALL = 1_000_000


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(monitored_systems())
def test_a_right_search_passes(drawn: tuple[TransitionSystem, tuple[Monitor, ...]]) -> None:
    for reading in READINGS:
        assert explore(*drawn, reading=reading, audit=ALL).complete


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(monitored_systems())
def test_states_that_were_not_found_are_told(drawn: tuple[TransitionSystem, tuple[Monitor, ...]]) -> None:
    system, _ = drawn
    graphs = [reachable_graph(system, reading=reading) for reading in READINGS]
    states = {graphs[0].state(i) for i in range(len(graphs[0]))}
    others = {(*state[:i], code, *state[i + 1:]) for state in states for i, v in enumerate(system.variables)
              for code in system.domains[v].codes()} - states
    for graph in graphs:
        assert graph._search.missing([]) == []
        assert graph._search.missing(states) == []
        assert set(graph._search.missing([*states, *others])) == others


@pytest.mark.parametrize("reading", READINGS)
def test_each_action_that_is_lost_is_missed(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    """The explorer is given a system with one action less than the audit."""
    system = benchmark_system(1)
    right = module._search
    for lost, action in enumerate(system.actions):
        never = replace(action, requirements=(Requirement(FALSE, "never", ""),))
        poorer = replace(system, actions=(*system.actions[:lost], never, *system.actions[lost + 1:]))

        def search(*args, poorer=poorer):  # type: ignore[no-untyped-def]
            found, exploration = right(poorer, *args[1:])
            found.task = replace(found.task, system=system)
            return found, exploration

        monkeypatch.setattr(module, "_search", search)
        with pytest.raises(EngineDisagreementError, match="never followed what can be done"):
            explore(system, reading=reading, audit=ALL)


@pytest.mark.parametrize("reading", READINGS)
def test_what_is_watched_for_is_seen(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    system = benchmark_system(1, faulty=True)
    state, step = benchmark_invariant_violation(system), Monitor("a step", FALSE, {0: TRUE})
    right = module._search
    monkeypatch.setattr(module, "_search", lambda *args: (
        (found := right(*args))[0], replace(found[1], hits={}, deadlock=None)))
    for monitor, says in ((state, "but found a state that shows it"), (step, "the explorer saw no 'a step'")):
        with pytest.raises(EngineDisagreementError, match=says):
            explore(system, [monitor], reading=reading, audit=ALL)


def test_a_search_that_was_cut_is_not_audited() -> None:
    """It claims nothing of what it has not expanded."""
    assert not explore(benchmark_system(1), max_states=10, audit=ALL).complete


def test_a_sample_is_spread_over_all_depths() -> None:
    assert [list(_spread(*numbers)) for numbers in ((10, 4), (3, 10), (0, 10))] == [[0, 2, 5, 7], [0, 1, 2], []]
