"""From a path to a trace: the play is replayed in the plain reading, and every step is put into words.

The engines hand over nothing but an initial state and the indices of actions.  Whatever a user reads about a play is
worked out here, from the whole system and by the plain reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from counterexamples.trace import Change, Trace, TraceStep
from counterexamples.wording import change_in_words, shown_changes, written
from model.readings.evaluate import Valuation, replay
from model.scenario import Scenario
from model.system import Code, Monitor, Path, Step, TransitionSystem
from model.terms import variables as variables_of
from properties.kinds import AlwaysPossible, Clause, Instance, Property

__all__ = ["EndingError", "TraceMaker", "deadlock_instance", "describe", "ending", "make_trace", "state_in_words"]


class EndingError(AssertionError):
    """A play that an engine reported does not end with what it was said to show."""


@dataclass(frozen=True, slots=True)
class _Ending:
    """The clause that the end of a play breaks or shows; ``on_step`` if it speaks of the last step."""

    clause: Clause
    on_step: bool


def deadlock_instance() -> Instance:
    """What a play to a state without a legal action shows: always a fault of the model."""
    return Instance(Property("deadlock", "Some action is legal until the game is over.", ("117.1",)),
                    Monitor("deadlock"), None)


def state_in_words(system: TransitionSystem, codes: tuple[Code, ...]) -> dict[str, str]:
    """Every variable of a state by name."""
    return {str(v): written(v, code) for v, code in zip(system.variables, codes, strict=True)}


@dataclass(frozen=True, slots=True)
class TraceMaker:
    """Makes traces of the plays that engines find.

    Parameters
    ----------
    system
        The whole system of the scenario.
    sliced
        The part of it that the engines searched.
    source
        The text of the scenario.
    """

    system: TransitionSystem
    sliced: TransitionSystem
    scenario: Scenario
    source: str

    def trace(self, instance: Instance, path: Path, verdict: str) -> Trace:
        """A play on the sliced system, lifted to the whole one and replayed; see :func:`make_trace`."""
        whole = Path(self.lift(path), path.actions)
        return make_trace(self.system, self.scenario, self.source, instance, whole, verdict)

    def lift(self, path: Path) -> tuple[Code, ...]:
        """The first whole initial state that the one of a play on the sliced system is a projection of."""
        kept = [self.system.position[v] for v in self.sliced.variables]
        return next(state for state in self.system.initial_states()
                    if tuple(state[i] for i in kept) == path.initial)


def make_trace(system: TransitionSystem, scenario: Scenario, source: str, instance: Instance, path: Path,
               verdict: str) -> Trace:
    """Replay a path on the whole system in the plain reading, and describe it.

    Parameters
    ----------
    verdict
        ``violated``, ``witnessed`` or ``deadlock``.

    Raises
    ------
    model.readings.evaluate.ReplayError
        If the plain reading does not allow the play: the engines disagree.
    EndingError
        If the play does not end with what is said.
    """
    steps = replay(system, path)
    shown = tuple(describe(system, number, step) for number, step in enumerate(steps, 1))
    prop = instance.property
    if verdict == "deadlock":
        clause, cause = prop.says, _no_action(shown)
    else:
        out_of_reach = isinstance(prop, AlwaysPossible) and verdict == "violated"
        end = ending(system, instance, path, steps, verdict)
        clause, cause = end.clause.subject, _cause(system, end, shown, steps, verdict, out_of_reach)
    return Trace(scenario.name, source, prop.id, prop.kind, prop.says, (*prop.cites, *prop.rulings), verdict, clause,
                 cause, state_in_words(system, path.initial), shown)


def describe(system: TransitionSystem, number: int, step: Step) -> TraceStep:
    """A replayed step in words; ``number`` counts from 1."""
    action = system.actions[step.action]
    valuation = Valuation(system, step.before)
    cites = tuple(c.rule for c in action.citations if valuation.value(c.condition))
    events = tuple(f"{e.kind}: {', '.join(map(str, e.subjects))}" for e in action.events
                   if valuation.value(e.condition))
    changed = [(v, a, b) for v, a, b in zip(system.variables, step.before, step.after, strict=True) if a != b]
    changes = tuple(Change(str(v), written(v, a), written(v, b)) for v, a, b in changed)
    label = action.label
    return TraceStep(number, label.actor, label.key, label.words, label.arguments, tuple(dict.fromkeys(cites)), events,
                     changes, shown_changes(system, step.before, step.after), state_in_words(system, step.after))


def ending(system: TransitionSystem, instance: Instance, path: Path, steps: Sequence[Step], verdict: str) -> _Ending:
    """The first clause that the end of a replayed play breaks, or shows.

    Raises
    ------
    EndingError
        If there is none.
    """
    last = steps[-1].after if steps else path.initial
    if isinstance(instance.property, AlwaysPossible) and verdict == "violated":
        # What is shown is that nothing leads on from here, which the whole graph says and the play does not.
        return _Ending(instance.state_clauses[0], on_step=False)
    if steps:
        found = _first(system, instance.step_clauses.get(steps[-1].action, ()), steps[-1].before, verdict)
        if found is not None:
            return _Ending(found, on_step=True)
    found = _first(system, instance.state_clauses, last, verdict)
    if found is None:
        raise EndingError(f"the play of {len(steps)} steps in {system.name} does not end with what it is said to show "
                          f"of {instance.property.id}")
    return _Ending(found, on_step=False)


def _first(system: TransitionSystem, clauses: Sequence[Clause], codes: tuple[Code, ...], verdict: str) -> Clause | None:
    valuation = Valuation(system, codes)
    wanted = verdict == "witnessed"
    return next((c for c in clauses if valuation.value(c.premise) and bool(valuation.value(c.conclusion)) == wanted),
                None)


def _no_action(shown: Sequence[TraceStep]) -> str:
    where = f"After step {len(shown)}" if shown else "At the start"
    return f"{where} the game is not over and no player has a legal action: a fault of the model."


def _cause(system: TransitionSystem, end: _Ending, shown: Sequence[TraceStep], steps: Sequence[Step],
           verdict: str, out_of_reach: bool) -> str:
    """Which step did it, by changing what, under which rules."""
    if out_of_reach:
        return f"After step {len(shown)} no play reaches it any more." if shown else "No play reaches it."
    result = "shows it" if verdict == "witnessed" else "breaks it"
    if not shown:
        return f"The initial state {result}."
    last = shown[-1]
    rules = f" ({', '.join(last.cites)})" if last.cites else ""
    who = f"{last.actor}: {last.words}" if last.actor else last.words
    if end.on_step:
        return f"Step {last.number}, {who}, itself {result}{rules}."
    support = set(variables_of([end.clause.premise, end.clause.conclusion]))
    changed = [change_in_words(v, a, b)
               for v, a, b in zip(system.variables, steps[-1].before, steps[-1].after, strict=True)
               if a != b and v in support]
    what = f" by this: {'; '.join(changed[:3])}" if changed else ""
    return f"Step {last.number}, {who}, {result}{what}{rules}."
