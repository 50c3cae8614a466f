"""A play: states, actions, choices and citations, with the property and the verdict inside.

State 0 is the initial state, and step *i* leads to state *i*, in the trace, in its file and on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.readings.evaluate import evaluate, replay
from model.scenario import Scenario
from model.state import Variable
from model.system import Action, Code, Path, TransitionSystem
from properties.kinds import Clause, Instance

__all__ = ["Change", "Trace", "TraceStep", "make_trace", "written"]


@dataclass(frozen=True, slots=True)
class Change:
    """A variable that a step changed, with its values in words."""

    variable: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step.

    Parameters
    ----------
    number
        From 1.
    actor
        The player; None for the game.
    action
        The key of the action's label, unique in the system.
    words
        The action in the game's words.
    arguments
        The choices, by name.
    cites
        The rules that decided this step, in the order in which they came up.
    events
        What happened, in the game's words.
    changes
        What changed, and nothing else.
    state
        The whole state after the step: every variable by name.
    """

    number: int
    actor: str | None
    action: str
    words: str
    arguments: tuple[tuple[str, str], ...]
    cites: tuple[str, ...]
    events: tuple[str, ...]
    changes: tuple[Change, ...]
    state: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trace:
    """A play that shows something.

    Parameters
    ----------
    scenario, source
        The scenario's name and its text, so that a trace can be replayed by itself.
    property, says, cites
        What it is about.
    verdict
        ``violated`` or ``witnessed``.
    clause
        The clause that is false (or shown) at the end, and of what.
    initial
        The whole state 0.
    """

    scenario: str
    source: str
    property: str
    kind: str
    says: str
    cites: tuple[str, ...]
    verdict: str
    clause: str
    initial: Mapping[str, str]
    steps: tuple[TraceStep, ...]


def written(variable: Variable, code: Code) -> str:
    """A value in words."""
    domain = variable.domain
    if domain.sort.members:
        return str(domain.sort.members[code])
    return str(code) if domain.sort.name == "integer" else ("yes" if code else "no")


def _state(system: TransitionSystem, codes: tuple[Code, ...]) -> dict[str, str]:
    return {str(v): written(v, code) for v, code in zip(system.variables, codes, strict=True)}


def make_trace(system: TransitionSystem, scenario: Scenario, source: str, instance: Instance, path: Path,
               verdict: str) -> Trace:
    """Replay a path on the whole system in the plain reading, and describe it.

    Raises
    ------
    model.readings.evaluate.ReplayError
        If the plain reading does not allow the play: the engines disagree.
    """
    steps = replay(system, path)
    shown = []
    before = path.initial
    for number, step in enumerate(steps, 1):
        action = system.actions[step.action]
        values = dict(zip(system.variables, step.before, strict=True))
        shown.append(_describe(system, number, action, step.before, step.after, values))
        before = step.after
    prop = instance.property
    return Trace(scenario.name, source, prop.id, prop.kind, prop.says, prop.cites, verdict,
                 _false_clause(system, instance, path, [s.before for s in steps] + [before], verdict),
                 _state(system, path.initial), tuple(shown))


def _describe(system: TransitionSystem, number: int, action: Action, before: tuple[Code, ...],
              after: tuple[Code, ...], values: Mapping[Variable, Code]) -> TraceStep:
    memo: dict[object, Code] = {}
    cites = tuple(c.rule for c in action.citations if evaluate(c.condition, values, memo))  # type: ignore[arg-type]
    events = tuple(f"{e.kind}: {', '.join(map(str, e.subjects))}" for e in action.events
                   if evaluate(e.condition, values, memo))  # type: ignore[arg-type]
    changes = tuple(Change(str(v), written(v, a), written(v, b))
                    for v, a, b in zip(system.variables, before, after, strict=True) if a != b)
    label = action.label
    return TraceStep(number, label.actor, label.key, label.words, label.arguments, cites, events, changes,
                     _state(system, after))


def _false_clause(system: TransitionSystem, instance: Instance, path: Path, states: list[tuple[Code, ...]],
                  verdict: str) -> str:
    """The subject of the first clause that is broken, or shown, at the end of the play."""

    def found(clauses: tuple[Clause, ...], codes: tuple[Code, ...]) -> str | None:
        values = dict(zip(system.variables, codes, strict=True))
        for clause in clauses:
            holds = bool(evaluate(clause.conclusion, values))
            if evaluate(clause.premise, values) and holds == (verdict == "witnessed"):
                return clause.subject
        return None

    on_step = instance.step_clauses.get(path.actions[-1], ()) if path.actions else ()
    return (found(on_step, states[-2]) if on_step else None) or found(instance.state_clauses, states[-1]) or ""
