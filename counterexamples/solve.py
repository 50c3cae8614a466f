"""Checking with a solver: bounded search, and induction."""

from __future__ import annotations

from collections.abc import Sequence

from counterexamples.explain import TraceMaker
from counterexamples.options import Options
from counterexamples.search import bounded, induction
from counterexamples.search.explore import explore
from counterexamples.verdict import HoldsTo, Proved, Undecided, Unreachable, Vacuous, Verdict, Violated, Witnessed
from model.system import TransitionSystem
from model.terms import FALSE
from properties.kinds import AlwaysPossible, Instance, Possible

__all__ = ["induct", "solve"]

_LEMMA_CANDIDATES = 400
"""How many candidate lemmas a proof may try; enough for pairs of variables near the property."""


def solve(traces: TraceMaker, system: TransitionSystem, instance: Instance,
          options: Options) -> tuple[Verdict, str, int]:
    """Decide an instance with a solver.

    Returns
    -------
    tuple
        The verdict, the engine, and the depth to which it looked.
    """
    if isinstance(instance.property, AlwaysPossible):
        return Undecided("a solver cannot settle what must stay possible; use --engine explore"), options.engine, 0
    if options.engine == "induction" and not isinstance(instance.property, Possible):
        return _inducted(traces, system, instance, options)
    return _bounded(traces, system, instance, options)


def _limits(options: Options) -> bounded.Limits:
    return bounded.Limits(seconds=options.max_seconds)


def _bounded(traces: TraceMaker, system: TransitionSystem, instance: Instance,
             options: Options) -> tuple[Verdict, str, int]:
    wanted = isinstance(instance.property, Possible)
    outcomes = bounded.bounded_search(system, instance.monitors, depth=options.depth, limits=_limits(options),
                                      stop=options.stop)
    _look_again(system, instance, outcomes, options.audit)
    target = outcomes[0]
    match target:
        case bounded.Found(path=path):
            trace = traces.trace(instance, path, "witnessed" if wanted else "violated")
            return (Witnessed(trace) if wanted else Violated(trace)), "bounded", len(path.actions)
        case bounded.Undecided(depth=depth, why=why):
            return Undecided(why), "bounded", max(depth, 0)
        case bounded.Exhausted(depth=depth, complete=complete, overflow=overflow):
            whole = complete and overflow is bounded.Overflow.IMPOSSIBLE
            if wanted:
                if whole:
                    return Unreachable(0), "bounded", depth
                return Undecided(f"not seen within {depth} steps"), "bounded", depth
            if len(outcomes) > 1 and isinstance(outcomes[1], bounded.Exhausted):
                if whole:
                    return Vacuous("its premise never occurs here"), "bounded", depth
                return Undecided(f"its premise does not occur within {depth} steps"), "bounded", depth
            if whole:
                return Proved("exhaustive"), "bounded", depth
            return HoldsTo(f"no violation within {depth} steps", 0, depth), "bounded", depth


def _look_again(system: TransitionSystem, instance: Instance, outcomes: Sequence[bounded.BoundedOutcome],
                audit: int) -> None:
    """Let the plain reading look, in the first states, for a play that the solver says does not exist.

    Raises
    ------
    EngineDisagreementError
        If there is one.
    """
    absent = {outcome.monitor: outcome for outcome in outcomes if isinstance(outcome, bounded.Exhausted)}
    if not audit or not absent:
        return
    monitors = [monitor for monitor in instance.monitors if monitor.name in absent]
    seen = explore(system, monitors, reading="plain", max_states=audit, stop_when_all_hit=True)
    for name, path in seen.hits.items():
        if absent[name].complete or len(path.actions) <= absent[name].depth:
            raise bounded.EngineDisagreementError(
                f"{system.name}: the solver found no {name!r} within {absent[name].depth} steps, "
                f"and the explorer found one of {len(path.actions)}")


def _inducted(traces: TraceMaker, system: TransitionSystem, instance: Instance,
              options: Options) -> tuple[Verdict, str, int]:
    if instance.target.on_state is FALSE and not instance.target.on_step:
        return Proved("by construction"), "induction", 0
    outcome = induction.prove(system, instance.target, max_candidates=_LEMMA_CANDIDATES, limits=_limits(options),
                              stop=options.stop)
    match outcome:
        case induction.Proved(certificate=certificate):
            texts = tuple((query.name, query.text) for query in certificate.queries)
            if not certificate.plan.excludes_overflow:
                return HoldsTo("inductive, but steps that leave a declared range were not followed"), "induction", 1
            return Proved("inductive", 0, texts), "induction", 1
        case induction.Refuted(path=path):
            return Violated(traces.trace(instance, path, "violated")), "induction", len(path.actions)
        case induction.CounterexampleToInduction(states=states, actions=actions):
            names = " then ".join(str(system.actions[a].label) for a in actions) or "no step"
            return Undecided(
                f"not inductive: {names} leads to a violation from a state that may be unreachable "
                f"(a counterexample to induction of {len(states)} state, not a play); use --engine explore or bounded"
            ), "induction", 1
        case induction.Undecided(why=why):
            return Undecided(why), "induction", 1


def induct(traces: TraceMaker, system: TransitionSystem, instance: Instance, options: Options) -> Verdict | None:
    """Try to prove by induction what a search left at a bound.  Returns None if that does not succeed."""
    verdict, _, _ = _inducted(traces, system, instance, options)
    return verdict if isinstance(verdict, Proved) else None
