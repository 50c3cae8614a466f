"""The 31 official rulings: each comes out as it should, says something, and is the same for every engine."""

from __future__ import annotations

import pytest

from counterexamples.check import check_scenario
from counterexamples.expression_checks import checks_of
from counterexamples.options import Options
from counterexamples.verdict import HoldsTo, Proved, Undecided, Vacuous, Violated, Witnessed
from model.documents import Document, load_documents
from model.game import build_system
from model.scenario import Scenario, build_scenario
from model.system import slice_system
from properties.kinds import Invariant, Property, StepRule, instantiate
from properties.registry import all_properties
from properties.rulings import Ruling, load_rulings
from tests.plays import ROOT

RULINGS = load_rulings()


def test_all_are_there():
    assert [ruling.id for ruling in RULINGS] == [f"S{i}" for i in range(1, 32)]


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_each_names_properties_that_its_scenarios_check(ruling: Ruling):
    checked = {c.property for scenario, _ in ruling.scenarios for c in scenario.data.check if c.property}
    assert set(ruling.properties) <= checked
    assert any(ruling.id in all_properties()[p].rulings for p in ruling.properties)


def _properties(scenario: Scenario) -> list[Property]:
    return [check.property for check in checks_of(scenario)]


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_each_is_proved_or_witnessed(ruling: Ruling):
    for scenario, text in ruling.scenarios:
        outcome = check_scenario(scenario, text, _properties(scenario), Options())
        assert outcome.deadlock is None
        for result in outcome.results:
            assert isinstance(result.verdict, Proved | Witnessed), (scenario.name, result.property.id, result.verdict)


STANDING = [p for p in all_properties().values() if isinstance(p, Invariant | StepRule)]


def _size(document: Document) -> int:
    """How many cards a scenario has; each ``x3`` counts as three."""
    zones = [entries for player in document.data["players"].values() for entries in player.values()
             if isinstance(entries, list)]
    return sum(int(str(entry).rpartition(" x")[2]) if " x" in str(entry) else 1 for zone in zones for entry in zone)


def _small(document: Document) -> bool:
    aside = {"unsupported", "disputed", "ignores"} & document.data.keys()
    return not aside and "declare attackers" not in document.data.get("steps", ()) and _size(document) <= 4


SAMPLE = [d for path in sorted((ROOT / "peers").rglob("*.yaml")) for d in load_documents(path)
          if _small(d) and "Coveted Falcon" not in str(d.data["players"])][::4]
"""Every fourth of the peers' small scenarios without combat; the larger ones, and the choices of three targets that
Coveted Falcon asks for, take minutes to build."""


def test_the_sample_is_large_enough():
    assert len(SAMPLE) >= 40


@pytest.mark.parametrize("document", SAMPLE, ids=lambda d: d.data["source"]["id"])
def test_peers_survive_being_explored(document: Document):
    """The standing properties hold of what is reachable from a peer's set-up, within a bound on the states."""
    scenario = build_scenario(document)
    outcome = check_scenario(scenario, "", STANDING, Options(engine="explore", max_states=300, max_seconds=5))
    assert outcome.deadlock is None
    assert not [(r.property.id, r.verdict) for r in outcome.results if isinstance(r.verdict, Violated)]
    assert all(isinstance(r.verdict, Proved | HoldsTo | Vacuous | Undecided) for r in outcome.results)


@pytest.mark.parametrize("ruling", [r for r in RULINGS if r.id in ("S4", "S10")], ids=lambda r: r.id)
def test_bounded_search_finds_the_same_shortest_plays(ruling: Ruling):
    """The solver and the explorer agree on the length of every witness of up to five steps."""
    scenario, text = ruling.scenarios[0]
    wanted = _properties(scenario)
    explored = check_scenario(scenario, text, wanted, Options()).results
    bounded = check_scenario(scenario, text, wanted, Options(engine="bounded", depth=5, max_seconds=60)).results
    for one, other in zip(explored, bounded, strict=True):
        if isinstance(one.verdict, Witnessed) and len(one.verdict.trace.steps) <= 5:
            assert isinstance(other.verdict, Witnessed), one.property.id
            assert len(one.verdict.trace.steps) == len(other.verdict.trace.steps)
        assert not isinstance(other.verdict, Violated)


def test_slicing_keeps_every_verdict():
    """A sliced system has the plays of the whole one, projected: same states up to what was dropped, same verdicts."""
    scenario, _ = next(r for r in RULINGS if r.id == "S26").scenarios[0]
    system = build_system(scenario.name, scenario.setup)
    instance = instantiate(all_properties()["manifest-dread-manifests-one-of-two"], system)
    terms = [t for m in instance.monitors for t in (m.on_state, *m.on_step.values())]
    sliced = slice_system(system, terms)
    assert len(sliced.variables) < len(system.variables)
    assert [a.label for a in sliced.actions] == [a.label for a in system.actions]


CHECKS = [d for path in sorted((ROOT / "rules" / "checks").glob("*.yaml")) for d in load_documents(path)]


@pytest.mark.parametrize("document", CHECKS, ids=lambda d: d.data["name"])
def test_what_the_rules_say_of_other_scenarios_holds(document: Document):
    """Layers, traps, and procedures that the model once had wrong."""
    scenario = build_scenario(document)
    outcome = check_scenario(scenario, "", _properties(scenario), Options())
    assert outcome.deadlock is None
    for result in outcome.results:
        assert isinstance(result.verdict, Proved | Witnessed), (result.property.id, result.verdict)
