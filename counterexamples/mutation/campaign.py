"""Running mutants: each is put to the scenarios that run its line, until a property turns red."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from counterexamples.faults.matrix import cites_overlap
from counterexamples.mutation.comparison import (
    Difference,
    Differs,
    differences_between,
    prove_equal,
    shortest_difference,
)
from counterexamples.mutation.mutant import Mutant, find_mutant, mutated
from counterexamples.mutation.survey import places_of
from counterexamples.search._smt_solver import Unsat
from counterexamples.trials import Trial, find_trial, in_processes, is_red
from counterexamples.verdict import Vacuous, Verdict, Violated
from model.game import build_system
from model.system import TransitionSystem
from model.terms import FALSE
from properties.kinds import Possible, Property
from properties.registry import all_properties

__all__ = ["Fate", "MutantResult", "run_mutant", "run_mutants"]

_MOST_TRIED = 3
"""On how many scenarios in which a mutant differs every property is tried, beyond those that the scenario lists."""

_Changed = tuple[Trial, TransitionSystem, list[Differs]]
"""A scenario in which a mutant makes a difference: its system with the mutant, and what differs."""


class Fate(enum.Enum):
    """What became of a mutant."""

    KILLED = "killed"
    """A property turned red."""
    STOPPED = "stopped"
    """No property, but another gate turned red: a play ends without a legal action, or a premise never occurs."""
    STILLBORN = "stillborn"
    """The model cannot be built with it."""
    EQUIVALENT = "equivalent"
    """It has the same transition relation in every scenario that runs the line."""
    SAME_PLAYS = "same plays"
    """The relations differ in states only that no play of any scenario reaches."""
    UNDECIDED = "undecided"
    """No play within a bound shows a difference, and nothing turned red."""
    SURVIVED = "survived"
    """A play shows that it differs, and nothing turned red."""
    NOT_RUN = "not run"
    """No scenario runs the line."""

    @property
    def says(self) -> str:
        """What it means."""
        return _MEANINGS[self]


_MEANINGS = {
    Fate.KILLED: "a property turned red",
    Fate.STOPPED: "no property, but another gate turned red",
    Fate.STILLBORN: "the model cannot be built with it",
    Fate.EQUIVALENT: "the transition relation is the same in every scenario that runs the line",
    Fate.SAME_PLAYS: "it differs in states only that no play of any scenario reaches",
    Fate.UNDECIDED: "no play within a bound shows a difference",
    Fate.SURVIVED: "a play shows that it differs, and nothing turned red",
    Fate.NOT_RUN: "no scenario runs the line",
}


@dataclass(frozen=True, slots=True)
class MutantResult:
    """What came of a mutant.

    Attributes
    ----------
    by
        The property that turned red; for what was stopped, the gate.
    scenario
        Where.
    names_the_rule
        Whether the property cites a rule that stands at the changed place.
    steps
        The length of the shortest play; None where what should be possible is not.
    how
        For a survivor how it differs; for an equivalent one how that was proved; for a stillborn one why.
    difference
        For a survivor, a shortest play on which it differs.
    """

    id: str
    fate: Fate
    by: str = ""
    scenario: str = ""
    names_the_rule: bool = False
    steps: int | None = None
    how: str = ""
    difference: Difference | None = None
    seconds: float = field(default=0.0, compare=False)


def run_mutants(ids: Sequence[str], jobs: int) -> Iterator[MutantResult]:
    """Run mutants, in this process or in several; results come in the order asked for."""
    return in_processes(run_mutant, [(id_, tuple(places_of(find_mutant(id_)))) for id_ in ids], jobs)


def run_mutant(task: tuple[str, Sequence[str]]) -> MutantResult:
    """Run a mutant, given by its id, on scenarios, given by their places, which come in the order in which to try."""
    start = time.perf_counter()
    found = _fate(find_mutant(task[0]), [find_trial(place) for place in task[1]])
    return replace(found, seconds=time.perf_counter() - start)


def _fate(mutant: Mutant, tried: Sequence[Trial]) -> MutantResult:
    if not tried:
        return MutantResult(mutant.id, Fate.NOT_RUN, how="no shipped scenario runs the line")
    changed: list[_Changed] = []
    stopped: MutantResult | None = None
    # What a player sees is no part of the transition relation.
    is_shown = mutant.function.startswith(("rules.views", "rules.revealing"))
    for trial in tried:
        try:
            wrong = _system_with(mutant, trial)
            differs = differences_between(trial.system, wrong)
            if not differs and not is_shown:
                continue
            changed.append((trial, wrong, differs))
            found = _put_to(mutant, trial, wrong, trial.properties, trial.verdicts)
        except Exception as failure:  # whatever a wrong rule does to the machine
            why = f"{type(failure).__name__}: {failure}"
            return MutantResult(mutant.id, Fate.STILLBORN, scenario=trial.place, how=why)
        if found is not None and found.fate is Fate.KILLED:
            return found
        stopped = stopped or found
    return stopped or _survivor(mutant, len(tried), changed)


def _system_with(mutant: Mutant, trial: Trial) -> TransitionSystem:
    name, setup, schema = trial.scenario.name, trial.scenario.setup, trial.schema
    with mutated(mutant):
        return build_system(name, setup, schema)


def _put_to(mutant: Mutant, trial: Trial, wrong: TransitionSystem, properties: Sequence[Property],
            before: Mapping[Property, Verdict]) -> MutantResult | None:
    """Check properties with the mutant.  Returns what turned red, of which they say ``before`` that it was not."""
    with mutated(mutant):
        result = trial.check(properties, wrong)
    after = {row.property: row.verdict for row in result.results}
    reds = [(p, v) for p, v in after.items() if is_red(v) and p in before and not is_red(before[p])]
    if reds:
        prop, verdict = min(reds, key=lambda red: (not _names(red[0], mutant), _length(red[1]) or 0))
        return MutantResult(mutant.id, Fate.KILLED, prop.id, trial.place, _names(prop, mutant), _length(verdict))
    if result.deadlock is not None:
        steps = len(result.deadlock.steps)
        return MutantResult(mutant.id, Fate.STOPPED, "no legal action", trial.place, steps=steps)
    empty = [p for p, v in after.items() if isinstance(v, Vacuous) and not isinstance(before.get(p), Vacuous)]
    if empty:
        return MutantResult(mutant.id, Fate.STOPPED, f"{empty[0].id} says nothing any more", trial.place)
    return None


def _names(prop: Property, mutant: Mutant) -> bool:
    return cites_overlap(prop.cites, mutant.rules)


def _length(verdict: Verdict) -> int | None:
    return len(verdict.trace.steps) if isinstance(verdict, Violated) else None


def _survivor(mutant: Mutant, tried: int, changed: Sequence[_Changed]) -> MutantResult:
    """Prove that a mutant is equivalent; or find a play on which it is not, and put every property to it there."""
    if not changed:
        return MutantResult(mutant.id, Fate.EQUIVALENT, how=f"term by term, in {tried} scenarios")
    silent = all(d.told is FALSE for _, _, differs in changed for d in differs)
    if silent and all(isinstance(prove_equal(trial.system, differs), Unsat) for trial, _, differs in changed):
        return MutantResult(mutant.id, Fate.EQUIVALENT, how=f"by Z3 in {len(changed)} scenarios, else term by term")
    everything, shown = True, []
    for trial, wrong, differs in changed:
        difference, whole = shortest_difference(trial.system, differs)
        everything = everything and whole
        if difference is not None:
            killed = _killed_by_another(mutant, trial, wrong)
            if killed is not None:
                return killed
            shown.append(MutantResult(mutant.id, Fate.SURVIVED, scenario=trial.place, steps=len(difference.play),
                                      how=difference.how, difference=difference))
            if len(shown) == _MOST_TRIED:
                break
    if shown:
        return min(shown, key=lambda result: result.steps or 0)
    if everything:
        return MutantResult(mutant.id, Fate.SAME_PLAYS, how=f"exhaustively, in {len(changed)} scenarios")
    return MutantResult(mutant.id, Fate.UNDECIDED, how=f"in {len(changed)} scenarios, not all explored to the end")


def _killed_by_another(mutant: Mutant, trial: Trial, wrong: TransitionSystem) -> MutantResult | None:
    """Put every property to a scenario in which a play shows that the mutant makes a difference."""
    others = [p for p in all_properties().values() if p not in trial.properties and not isinstance(p, Possible)]
    with mutated(mutant):
        found = {row.property: row.verdict for row in trial.check(others, wrong).results}
    suspects = [p for p, verdict in found.items() if is_red(verdict)]
    if not suspects:
        return None
    killed = _put_to(mutant, trial, wrong, suspects, trial.settle(suspects, trial.system))
    return killed if killed is not None and killed.fate is Fate.KILLED else None
