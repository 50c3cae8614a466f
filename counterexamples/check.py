"""Checking a scenario: properties are put to its system, an engine searches, and every play is replayed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from counterexamples.explain import TraceMaker, deadlock_instance
from counterexamples.options import Engine, Options
from counterexamples.search.explore import Cut, Exploration, explore
from counterexamples.secrets import Build, PairOfGames, differences, pair_of, trace_of_pair
from counterexamples.trace import Trace
from counterexamples.verdict import HoldsTo, Proved, Undecided, Unreachable, Vacuous, Verdict, Violated, Witnessed
from model.game import build_system
from model.scenario import Scenario
from model.system import TransitionSystem, slice_system
from model.terms import FALSE, Term
from properties.kinds import (
    AlwaysPossible,
    Instance,
    Possible,
    Property,
    Secret,
    instantiate,
    instantiate_pair,
)

__all__ = ["CheckResult", "Engine", "Options", "ScenarioResult", "check_scenario"]

_INDUCTION_SECONDS = 10.0
"""How long to try to prove each property of a scenario that could not be explored to the end."""

@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one property on one scenario."""

    property: Property
    scenario: str
    verdict: Verdict
    engine: str
    states: int
    transitions: int
    depth: int
    overflows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """What came of a scenario.

    Attributes
    ----------
    deadlock
        A play to a state without a legal action: always a fault of the model.
    never_fired
        The words of every action that no play takes; None if that was not found out.
    """

    scenario: str
    results: tuple[CheckResult, ...]
    actions: int
    deadlock: Trace | None = None
    never_fired: tuple[str, ...] | None = None
    fired: tuple[tuple[str, int], ...] = field(default=())


def check_scenario(scenario: Scenario, source: str, properties: Sequence[Property], options: Options,
                   build: Build | None = None) -> ScenarioResult:
    """Check properties on a scenario.

    Parameters
    ----------
    source
        The text of the scenario, to be kept in traces.
    build
        Makes the system of a name and a setup; None for the rules as they are.

    Raises
    ------
    model.errors.InputError
        If the scenario cannot be built.
    model.readings.evaluate.ReplayError, counterexamples.search.bounded.EngineDisagreementError
        If two readings disagree.
    """
    start = time.perf_counter()
    build = build or build_system
    system = build(scenario.name, scenario.setup)
    instances = [instantiate(prop, system) for prop in properties if not isinstance(prop, Secret)]
    sliced = slice_system(system, _watched(instances))
    found = _Job(system, sliced, TraceMaker(system, sliced, scenario, source), options, start).run(instances)
    secrets = [prop for prop in properties if isinstance(prop, Secret)]
    if not secrets:
        return found
    told = _secrets(scenario, source, secrets, options, build)
    settled = {result.property.id: result for result in (*found.results, *told)}
    return replace(found, results=tuple(settled[prop.id] for prop in properties))


def _watched(instances: Sequence[Instance]) -> list[Term]:
    """Every term that the monitors ask for."""
    return [t for instance in instances for m in instance.monitors for t in (m.on_state, *m.on_step.values())]


def _secrets(scenario: Scenario, source: str, properties: Sequence[Secret], options: Options,
             build: Build) -> list[CheckResult]:
    """Check properties of secrecy on every two games that a player may not be able to tell apart."""
    if options.engine not in ("auto", "explore"):
        why = "pairs of games are explored; use --engine explore"
        return [CheckResult(prop, scenario.name, Undecided(why), options.engine, 0, 0, 0, 0, 0.0)
                for prop in properties]
    start = time.perf_counter()
    found: list[list[tuple[Verdict, Exploration]]] = [[] for _ in properties]
    for difference in differences(scenario):
        pair = pair_of(scenario, difference, build)
        instances = [instantiate_pair(prop, pair.view) for prop in properties]
        sliced = slice_system(pair.both, _watched(instances))
        explored = explore(sliced, [m for instance in instances for m in instance.monitors],
                           max_states=options.max_states, max_seconds=options.max_seconds, progress=options.progress,
                           stop=options.stop, audit=options.audit)
        for results, instance in zip(found, instances, strict=True):
            results.append((_secret(pair, sliced, instance, explored, source), explored))
    return [_summed(prop, scenario.name, results, time.perf_counter() - start)
            for prop, results in zip(properties, found, strict=True)]


def _secret(pair: PairOfGames, sliced: TransitionSystem, instance: Instance, found: Exploration,
            source: str) -> Verdict:
    hit = found.hits.get(instance.target.name)
    if hit is not None:
        return Violated(trace_of_pair(pair, sliced, instance, hit, source))
    if instance.premise is None or instance.premise.name not in found.hits:
        return Vacuous("there is no game, or the player may know from the start what makes the two differ")
    if found.complete and not found.overflows:
        return Proved("exhaustive", found.states)
    return HoldsTo(_bound(found), found.states, found.depth)


def _summed(prop: Secret, scenario: str, results: Sequence[tuple[Verdict, Exploration]],
            seconds: float) -> CheckResult:
    """One result for all pairs of games: the shortest leak, else the weakest evidence."""
    verdicts = [verdict for verdict, _ in results]
    leaks = [verdict for verdict in verdicts if isinstance(verdict, Violated)]
    bounds = [verdict for verdict in verdicts if isinstance(verdict, HoldsTo)]
    states = sum(explored.states for _, explored in results)
    worst: Verdict
    if leaks:
        worst = min(leaks, key=lambda leak: len(leak.trace.steps))
    elif bounds:
        worst = HoldsTo(bounds[0].bound, states, bounds[0].depth)
    elif any(isinstance(verdict, Proved) for verdict in verdicts):
        worst = Proved("exhaustive", states)
    elif verdicts:
        worst = verdicts[0]
    else:
        worst = Vacuous("no player is kept from seeing a card that could be another; could_be: names such cards")
    return CheckResult(prop, scenario, worst, "explore", states, sum(e.transitions for _, e in results),
                       max((e.depth for _, e in results), default=0), sum(e.overflows for _, e in results), seconds)


class _Job:
    """One scenario with its options."""

    def __init__(self, system: TransitionSystem, sliced: TransitionSystem, traces: TraceMaker, options: Options,
                 start: float) -> None:
        self._system = system
        self._sliced = sliced
        self._traces = traces
        self._options = options
        self._start = start

    def run(self, instances: Sequence[Instance]) -> ScenarioResult:
        """Search for all instances at once, or ask a solver about each."""
        monitors = [m for instance in instances for m in instance.monitors]
        sliced = self._sliced
        if not all(self._system.initial[variable] for variable in self._system.variables):
            nothing = Vacuous("the scenario has no initial state, so there is no play to say anything about")
            results = tuple(self._result(instance, nothing, self._options.engine, 0) for instance in instances)
            return ScenarioResult(self._system.name, results, len(self._system.actions))
        if self._options.engine in ("auto", "explore"):
            found = explore(sliced, monitors, max_states=self._options.max_states,
                            max_seconds=self._options.max_seconds, progress=self._options.progress,
                            stop=self._options.stop, audit=self._options.audit)
            results = tuple(self._explored(sliced, instance, found) for instance in instances)
            return self._scenario_result(results, found)
        from counterexamples.solve import solve  # imports a solver

        results = tuple(self._result(instance, *solve(self._traces, sliced, instance, self._options))
                        for instance in instances)
        return ScenarioResult(self._system.name, results, len(self._system.actions))

    def _scenario_result(self, results: tuple[CheckResult, ...], found: Exploration) -> ScenarioResult:
        labels = [str(a.label) for a in self._system.actions]
        never = tuple(label for label, times in zip(labels, found.fired, strict=True) if not times)
        deadlock = None
        if found.deadlock is not None:
            deadlock = self._traces.trace(deadlock_instance(), found.deadlock, "deadlock")
        return ScenarioResult(self._system.name, results, len(labels), deadlock, never,
                              tuple(zip(labels, found.fired, strict=True)))

    def _result(self, instance: Instance, verdict: Verdict, engine: str, depth: int) -> CheckResult:
        return CheckResult(instance.property, self._system.name, verdict, engine, 0, 0, depth, 0,
                           time.perf_counter() - self._start)

    def _explored(self, sliced: TransitionSystem, instance: Instance, found: Exploration) -> CheckResult:
        verdict, engine = self._judge(sliced, instance, found)
        return CheckResult(instance.property, self._system.name, verdict, engine, found.states, found.transitions,
                           found.depth, found.overflows, time.perf_counter() - self._start)

    def _judge(self, sliced: TransitionSystem, instance: Instance, found: Exploration) -> tuple[Verdict, str]:
        hit = found.hits.get(instance.target.name)
        whole = found.complete and found.overflows == 0
        if isinstance(instance.property, AlwaysPossible):
            from counterexamples.graph import always_possible

            return always_possible(self._traces, sliced, instance, found, self._options), "explore"
        if isinstance(instance.property, Possible):
            if hit is not None:
                return Witnessed(self._traces.trace(instance, hit, "witnessed")), "explore"
            if whole:
                return Unreachable(found.states), "explore"
            return Undecided(f"not seen; {_bound(found)}"), "explore"
        if hit is not None:
            return Violated(self._traces.trace(instance, hit, "violated")), "explore"
        if instance.premise is not None and instance.premise.name not in found.hits and whole:
            return Vacuous("its premise never occurs here"), "explore"
        if whole:
            constant = instance.target.on_state is FALSE and not instance.target.on_step
            return Proved("by construction" if constant else "exhaustive", found.states), "explore"
        # A step that overflows within the plays found would break every proof, so only a search that was cut is helped.
        if self._options.engine == "auto" and found.overflows == 0 and found.cut is not Cut.STOPPED:
            from counterexamples.solve import induct

            proved = induct(self._traces, sliced, instance, replace(self._options, max_seconds=_INDUCTION_SECONDS))
            if proved is not None:
                return proved, "induction"
        return HoldsTo(_bound(found), found.states, found.depth), "explore"


def _bound(found: Exploration) -> str:
    parts = [f"{found.states:,} states to depth {found.depth}"]
    if found.overflows:
        parts.append(f"{found.overflows:,} steps left a declared range and were not followed")
    if found.cut is not None:
        parts.append(found.cut.value)
    return "; ".join(parts)

