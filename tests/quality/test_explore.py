"""The explicit search: known counts, shortest plays, limits that are kept, and what it costs."""

from __future__ import annotations

import itertools
from typing import Literal

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings

from counterexamples.search.explore import (
    Cut,
    Exploration,
    GraphTooLargeError,
    Progress,
    explore,
    reachable_graph,
)
from model.readings.evaluate import replay
from model.system import Monitor, Path, TransitionSystem
from model.terms import FALSE, TRUE, Term, eq
from tests.systems import benchmark_invariant_violation, benchmark_system, monitored_systems

Reading = Literal["plain", "native"]
READINGS: tuple[Reading, ...] = ("plain", "native")

COUNTS = {1: (194, 879, 6), 2: (16_192, 115_129, 11), 3: (1_170_976, 11_378_843, 15)}
"""Objects: states, generated states, depth; ten other tools agree."""


def counts(found: Exploration) -> tuple[int, int, int]:
    return found.states, found.generated, found.depth


@pytest.mark.parametrize(
    ("reading", "objects"), [("plain", 1), ("plain", 2), ("native", 1), ("native", 2), ("native", 3)]
)
def test_known_counts(reading: Reading, objects: int) -> None:
    system = benchmark_system(objects)
    found = explore(system, [benchmark_invariant_violation(system)], reading=reading)
    assert counts(found) == COUNTS[objects]
    assert found.reading == reading
    assert found.initial == 3 ** objects
    assert found.complete and found.cut is None
    assert found.hits == {} and found.deadlock is None and found.overflows == 0
    assert sum(found.fired) == found.transitions
    assert all(found.fired)


@pytest.mark.parametrize("objects", [1, 2])
def test_the_faulty_benchmark_is_violated_in_two_steps(objects: int) -> None:
    system = benchmark_system(objects, faulty=True)
    monitor = benchmark_invariant_violation(system)
    paths = [explore(system, [monitor], reading=r).hits[monitor.name] for r in READINGS]
    assert paths[0] == paths[1]
    assert [system.actions[a].label.rule for a in paths[0].actions] == ["morph", "keyword"]
    end = replay(system, paths[0])[-1].after
    graph = reachable_graph(system)
    assert graph.holding(monitor.on_state)[[graph.state(i) for i in range(len(graph))].index(end)]


def test_auto_starts_plain_and_goes_native() -> None:
    small, large = (explore(benchmark_system(n)) for n in (1, 2))
    assert (small.reading, counts(small)) == ("plain", COUNTS[1])
    assert (large.reading, counts(large)) == ("native", COUNTS[2])


# Plays


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(monitored_systems())
def test_plays_are_shortest_and_can_be_replayed(drawn: tuple[TransitionSystem, tuple[Monitor, ...]]) -> None:
    system, monitors = drawn
    found = explore(system, monitors, reading="plain")
    graph = reachable_graph(system, reading="plain")
    network = graph.to_networkx()
    lengths = nx.multi_source_dijkstra_path_length(network, set(range(found.initial)))
    assert max(lengths.values()) == found.depth
    for monitor in monitors:
        expected = [lengths[i] for i in range(len(graph)) if graph.holding(monitor.on_state)[i]]
        for source, action in zip(graph.edges.sources().tolist(), graph.edges.actions.tolist(), strict=True):
            if graph.holding(monitor.on_step.get(action, FALSE))[source]:
                expected.append(lengths[source] + 1)
        path = found.hits.get(monitor.name)
        assert (path is None) == (not expected)
        if path is not None:
            replay(system, path)
            assert len(path.actions) == min(expected)


def test_the_first_action_breaks_ties() -> None:
    system = benchmark_system(2)
    s = system.symbolic_state()
    battlefield = next(v for v in system.variables if v.family.name == "zone")
    monitor = Monitor("arrived", on_state=s[(battlefield.family, *battlefield.index)].is_("battlefield"))
    for reading in READINGS:
        path = explore(system, [monitor], reading=reading).hits["arrived"]
        assert path.initial == next(system.initial_states())
        assert path.actions == (0,)


@pytest.mark.parametrize("reading", READINGS)
def test_an_initial_state_is_a_play_without_steps(reading: Reading) -> None:
    system = benchmark_system(1)
    path = explore(system, [Monitor("any", on_state=TRUE)], reading=reading).hits["any"]
    assert path.actions == () and path.initial == next(system.initial_states())


# Limits


def _library(system: TransitionSystem) -> Term:
    s = system.symbolic_state()
    zone = next(v for v in system.variables if v.family.name == "zone")
    return eq(s[(zone.family, *zone.index)], zone.domain.constant(zone.initial))


@pytest.mark.parametrize("reading", READINGS)
def test_a_limit_of_states_is_kept(reading: Reading) -> None:
    found = explore(benchmark_system(2), reading=reading, max_states=1000)
    assert found.cut is Cut.STATES and not found.complete
    assert 1000 <= found.states < 1000 + 22


@pytest.mark.parametrize("reading", READINGS)
def test_a_limit_that_is_exactly_enough_is_no_cut_short_of_it(reading: Reading) -> None:
    assert explore(benchmark_system(1), reading=reading, max_states=195).complete
    assert explore(benchmark_system(1), reading=reading, max_states=193).cut is Cut.STATES


@pytest.mark.parametrize("reading", READINGS)
def test_initial_states_count_against_the_limit(reading: Reading) -> None:
    found = explore(benchmark_system(10), reading=reading, max_states=20_000)
    assert (found.states, found.initial, found.transitions, found.cut) == (20_000, 20_000, 0, Cut.STATES)


@pytest.mark.parametrize("reading", READINGS)
def test_ends_when_all_is_found(reading: Reading) -> None:
    system = benchmark_system(2)
    monitors = [Monitor("library", on_state=_library(system)), Monitor("tapped", on_step={5: TRUE})]
    found = explore(system, monitors, reading=reading, stop_when_all_hit=True)
    assert found.cut is Cut.ALL_HIT and not found.complete
    assert len(found.hits["tapped"].actions) == 2
    assert found.states < 1000
    assert explore(system, reading=reading, stop_when_all_hit=True).complete


def test_a_time_limit_is_kept() -> None:
    found = explore(benchmark_system(4), reading="native", max_seconds=0.5)
    assert found.cut is Cut.SECONDS
    assert found.seconds < 10
    found = explore(benchmark_system(3), reading="plain", max_seconds=0.2)
    assert found.cut is Cut.SECONDS


@pytest.mark.parametrize("reading", READINGS)
def test_asks_whether_to_stop(reading: Reading) -> None:
    reports: list[Progress] = []
    found = explore(benchmark_system(4), reading=reading, progress=reports.append, stop=lambda: len(reports) == 3)
    assert found.cut is Cut.STOPPED
    assert len(reports) == 3
    assert all(a.states < b.states and a.transitions < b.transitions for a, b in itertools.pairwise(reports))
    assert reports[-1].states == found.states and reports[-1].depth == found.depth
    assert 0 < reports[-1].waiting < found.states and reports[-1].states_per_second > 0


@pytest.mark.parametrize("reading", READINGS)
def test_an_interrupt_ends_the_search(reading: Reading) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore(benchmark_system(4), reading=reading, progress=interrupt)


def test_arguments_are_checked() -> None:
    system = benchmark_system(1)
    with pytest.raises(ValueError, match=r"reading must be 'auto', 'plain' or 'native' \(got 'fast'\)"):
        explore(system, reading="fast")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"max_states must be positive \(got 0\)"):
        explore(system, max_states=0)
    with pytest.raises(ValueError, match="two monitors have one name"):
        explore(system, [Monitor("a"), Monitor("a")])


# Graphs


@pytest.mark.parametrize("reading", READINGS)
def test_the_graph_is_whole(reading: Reading) -> None:
    system = benchmark_system(1)
    graph = reachable_graph(system, reading=reading)
    assert len(graph) == 194
    network = graph.to_networkx()
    assert network.number_of_edges() == graph.exploration.transitions
    edges = graph.edges
    steps = zip(edges.sources().tolist(), edges.targets.tolist(), edges.actions.tolist(), strict=True)
    for source, target, action in itertools.islice(steps, 0, None, 17):
        before = graph.path(source)
        assert replay(system, Path(before.initial, (*before.actions, action)))[-1].after == graph.state(target)


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(monitored_systems())
def test_leading_to(drawn: tuple[TransitionSystem, tuple[Monitor, ...]]) -> None:
    system, monitors = drawn
    graph = reachable_graph(system, reading="plain")
    network = graph.to_networkx()
    for monitor in monitors:
        goal = graph.holding(monitor.on_state)
        expected = {i for i in range(len(graph)) if goal[i]}
        for i in list(expected):
            expected |= nx.ancestors(network, i)
        assert set(graph.leading_to(goal).nonzero()[0].tolist()) == expected


@pytest.mark.parametrize("reading", READINGS)
def test_a_graph_may_have_as_many_states_as_the_limit(reading: Reading) -> None:
    assert len(reachable_graph(benchmark_system(1), 194, reading=reading)) == 194
    with pytest.raises(GraphTooLargeError, match="more than 193 reachable states"):
        reachable_graph(benchmark_system(1), 193, reading=reading)


# Costs


def test_memory_contract() -> None:
    build = explore(benchmark_system(3), reading="native").build
    assert build is not None
    assert build.words == 1 and build.bits == 34
    assert build.table_load <= 0.7
    slots = 4 / build.table_load
    assert build.bytes_per_state - slots <= 8 * build.words + 12


def test_compiling_is_quick() -> None:
    """A second is far more than it takes, and far less than an optimiser would."""
    build = explore(benchmark_system(6), reading="native", max_states=10).build
    assert build is not None
    assert build.compile_seconds < 1.5
