"""On which rules each step of a scenario rests, and which ones stand in its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from counterexamples.trials import Trial
from model.game import build_system
from model.state import Disabled, Schema, State, Variable
from model.system import Candidate
from model.terms import FALSE, Term, and_, not_, or_

__all__ = ["Probed", "probe"]


@dataclass(frozen=True, slots=True)
class Probed:
    """What a scenario's steps rest on.

    Attributes
    ----------
    rests_on
        For each action by index, the rules that decide it, each with its condition over the state before.
    forbids
        For each action by index, the rules of its guard, each with the states in which it alone forbids the action.
    rules_out
        The rules that forbid something whatever the state, each with the words of an action.
    """

    rests_on: tuple[Mapping[str, Term], ...]
    forbids: tuple[Mapping[str, Term], ...]
    rules_out: Mapping[str, str]

    def rules(self) -> set[str]:
        """Every rule that takes part."""
        return {rule for found in (*self.rests_on, *self.forbids, self.rules_out) for rule in found} - {""}


class _Recorder(State):
    """A recorder that also remembers which rules said what is so."""

    __slots__ = ("applied",)

    def __init__(self, schema: Schema, read: Callable[[Variable], Term]) -> None:
        super().__init__(schema, read)
        self.applied: dict[str, Term] = {}

    def under(self, rule: str, condition: Term) -> Term:
        if condition is not FALSE:
            self.applied[rule] = or_(self.applied.get(rule, FALSE), condition)
        return condition


@cache
def probe(trial: Trial) -> Probed:
    """See which rules the steps of a scenario rest on."""
    applied: dict[str, dict[str, Term]] = {}
    ruled_out: dict[str, tuple[str, str]] = {}

    def remembering(candidate: Candidate) -> Candidate:
        return replace(candidate, run=_remembering(candidate, applied, ruled_out))

    scenario = trial.scenario
    system = build_system(scenario.name, scenario.setup, trial.schema, recorder=_Recorder, around=remembering)
    return Probed(
        tuple({**_cited(a.citations), **applied[a.label.key]} for a in system.actions),
        tuple(_alone(a.requirements) for a in system.actions),
        dict(reversed(ruled_out.values())),
    )


def _remembering(candidate: Candidate, applied: dict[str, dict[str, Term]],
                 ruled_out: dict[str, tuple[str, str]]) -> Callable[[State], None]:
    key = candidate.label.key

    def run(state: State) -> None:
        assert isinstance(state, _Recorder)
        try:
            candidate.run(state)
        except Disabled as disabled:
            ruled_out[key] = disabled.requirement.rule, str(candidate.label)
            raise
        ruled_out.pop(key, None)  # in an earlier round too little could happen
        applied[key] = state.applied

    return run


def _cited(citations: Any) -> dict[str, Term]:
    return {citation.rule: citation.condition for citation in citations}


def _alone(requirements: Any) -> dict[str, Term]:
    """For each rule of a guard, when every conjunct of other rules holds and one of its own does not."""
    rules = dict.fromkeys(requirement.rule for requirement in requirements)
    return {
        rule: and_(
            *(r.condition for r in requirements if r.rule != rule),
            not_(and_(*(r.condition for r in requirements if r.rule == rule))),
        )
        for rule in rules
    }
