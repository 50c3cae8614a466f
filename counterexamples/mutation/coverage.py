"""Coverage of the rulebook: which rules fired, decided a verdict, and killed a mutant."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from counterexamples.catalogue import RuleUse, rule_index
from counterexamples.faults.matrix import cites_overlap
from counterexamples.mutation.probe import probe
from counterexamples.mutation.weakened import Role
from counterexamples.search.explore import explore
from counterexamples.trials import OPTIONS, Trial, find_trial, in_processes, places
from model.readings.evaluate import Valuation, replay
from model.system import Monitor, Path, slice_system
from model.terms import FALSE, or_
from properties.registry import all_properties
from properties.rulebook import RulebookEntry, rulebook

__all__ = ["Covered", "Fired", "Level", "counts", "cover", "fired"]


_RESTS = "the last step rests on it"


class Level(enum.Enum):
    """How far a rule is covered; each level is worth more than the one before."""

    OUT_OF_SCOPE = "out of scope"
    """The model leaves it out, for a reason."""
    NOT_CITED = "cited by nothing"
    """Neither a step of the model nor a property names it: a finding."""
    NEVER_FIRED = "never fired"
    """Something names it, and no step of any scenario rests on it or is stopped by it."""
    FIRED = "fired"
    """A step rests on it, or it alone stops one."""
    DECIDED = "decided a verdict"
    """Without it some property is broken."""
    KILLED = "killed a mutant"
    """A property that states it is broken where the rule is put wrong."""


@dataclass(frozen=True, slots=True)
class Fired:
    """A shortest play in which a rule fires.

    Attributes
    ----------
    steps
        Its steps in words.
    how
        Whether the last step rests on the rule, or what the rule stops after it.
    """

    rule: str
    scenario: str
    steps: tuple[str, ...]
    how: str


@dataclass(frozen=True, slots=True)
class Covered:
    """A rule of the rulebook with all that is known of it.

    Attributes
    ----------
    evidence
        What decided the level: the property and how.
    fired
        A play in which it fires, else one that shows what its absence does; None if there is neither.
    """

    entry: RulebookEntry
    level: Level
    evidence: str
    fired: Fired | None
    steps: int
    properties: tuple[str, ...]


# -- firing -------------------------------------------------------------------------------------------------------


def fired(jobs: int) -> Iterator[list[Fired]]:
    """What fires in each shipped scenario, in this process or in several."""
    return in_processes(_fired_in, places(), jobs)


def _fired_in(place: str) -> list[Fired]:
    trial = find_trial(place)
    system, probed = trial.system, probe(trial)
    monitors = []
    for rule in sorted(probed.rules()):
        rests = {i: term for i, found in enumerate(probed.rests_on)
                 if (term := found.get(rule, FALSE)) is not FALSE}
        monitors.append(Monitor(f"by {rule}", FALSE, rests))
        monitors.append(Monitor(f"not by {rule}", or_(*(found.get(rule, FALSE) for found in probed.forbids))))
    sliced = slice_system(system, [t for m in monitors for t in (m.on_state, *m.on_step.values())])
    hits = explore(sliced, monitors, max_states=OPTIONS.max_states, max_seconds=OPTIONS.max_seconds).hits
    always = [Fired(rule, place, (), f"it stops {words!r} whatever happens")
              for rule, words in probed.rules_out.items() if rule]
    return [*(_described(trial, name, path) for name, path in hits.items()), *always]


def _described(trial: Trial, monitor: str, path: Path) -> Fired:
    system = trial.system
    words = tuple(str(system.actions[i].label) for i in path.actions)
    rule = monitor.rpartition(" ")[2]
    if monitor.startswith("by "):
        return Fired(rule, trial.place, words, _RESTS)
    whole = Path(next(system.initial_states()), path.actions)
    steps = replay(system, whole)
    valuation = Valuation(system, steps[-1].after if steps else whole.initial)
    stopped = next(str(a.label) for a, found in zip(system.actions, probe(trial).forbids, strict=True)
                   if valuation.value(found.get(rule, FALSE)))
    return Fired(rule, trial.place, words, f"it alone stops {stopped!r} then")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What decides the level of a rule, and a play that shows it, if there is one."""

    says: str
    play: Fired | None = None


# -- the table ----------------------------------------------------------------------------------------------------


def cover(firings: Iterable[Fired], necessity: Mapping[str, Any], mutants: Mapping[str, Any]) -> list[Covered]:
    """The rulebook with its coverage.

    Parameters
    ----------
    firings
        What fired anywhere.
    necessity, mutants
        The documents of ``facedown necessity`` and ``facedown mutants``.
    """
    shortest: dict[str, Fired] = {}
    for found in firings:
        kept = shortest.get(found.rule)
        if kept is None or _better(found, kept):
            shortest[found.rule] = found
    decided, killed = _decided(necessity), {**_killed(mutants), **_weakened(necessity)}
    index = rule_index()
    return [_covered(entry, index, shortest, decided, killed) for entry in rulebook()]


def _better(one: Fired, other: Fired) -> bool:
    return _rank(one) < _rank(other)


def _rank(found: Fired) -> tuple[bool, bool, int]:
    return found.how != _RESTS, found.how.endswith("whatever happens"), len(found.steps)


def _covered(entry: RulebookEntry, index: Mapping[str, RuleUse], shortest: Mapping[str, Fired],
             decided: Mapping[str, _Evidence], killed: Mapping[str, _Evidence]) -> Covered:
    use = index.get(entry.rule, RuleUse(entry.rule))
    play = shortest.get(entry.rule)
    steps = sum(u.decides for u in use.uses)
    level, evidence = Level.NEVER_FIRED, ""
    if entry.out_of_scope is not None:
        level, evidence = Level.OUT_OF_SCOPE, entry.out_of_scope
    elif entry.rule in killed or entry.rule in decided:
        level = Level.KILLED if entry.rule in killed else Level.DECIDED
        found = killed.get(entry.rule) or decided[entry.rule]
        evidence, play = found.says, play or found.play
    elif play is not None:
        level, evidence = Level.FIRED, play.how
    elif not steps and not use.properties:
        level, evidence = Level.NOT_CITED, "named in comments only" if use.uses else ""
    return Covered(entry, level, evidence, play, steps, tuple(use.properties))


def _needed(necessity: Mapping[str, Any], *, weakened: bool) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for row in necessity["rows"]:
        if (row["role"] == Role.WEAKENED.value) is weakened:
            yield from ((row["rule"], cell) for cell in row["properties"] if cell["need"] == "needed")


def _decided(necessity: Mapping[str, Any]) -> dict[str, _Evidence]:
    found: dict[str, _Evidence] = {}
    for rule, cell in _needed(necessity, weakened=False):
        says = f"without it {cell['property']} is {cell['detail']} in {cell['scenario']}"
        _keep(found, rule, _Evidence(says, _shown(rule, cell)))
    return found


def _weakened(necessity: Mapping[str, Any]) -> dict[str, _Evidence]:
    found: dict[str, _Evidence] = {}
    for rule, cell in _needed(necessity, weakened=True):
        if _states(cell["property"], rule):
            says = f"{cell['property']} is {cell['detail']}"
            _keep(found, rule, _Evidence(says, _shown(rule, cell)))
    return found


def _keep(found: dict[str, _Evidence], rule: str, evidence: _Evidence) -> None:
    """Keep the first evidence, or the first that a play shows."""
    kept = found.get(rule)
    if kept is None or (kept.play is None and evidence.play is not None):
        found[rule] = evidence


def _shown(rule: str, cell: Mapping[str, Any]) -> Fired | None:
    if cell.get("play") is None:
        return None
    return Fired(rule, cell["scenario"], tuple(cell["play"]), f"what happens then: {cell['property']} is broken")


def _killed(mutants: Mapping[str, Any]) -> dict[str, _Evidence]:
    found: dict[str, _Evidence] = {}
    for mutant in mutants["mutants"]:
        if mutant["fate"] == "killed":
            for rule in mutant["rules"]:
                if _states(mutant["by"], rule):
                    found.setdefault(rule, _Evidence(f"{mutant['by']} kills {mutant['id']}"))
    return found


def _states(property_id: str, rule: str) -> bool:
    prop = all_properties().get(property_id)
    return prop is not None and cites_overlap(prop.cites, [rule])


def counts(covered: Sequence[Covered]) -> dict[Level, int]:
    """How many rules there are of each level."""
    return {level: sum(c.level is level for c in covered) for level in Level}
