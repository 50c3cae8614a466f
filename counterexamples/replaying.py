"""Taking a saved play again: the scenario is built from the text in the trace, and nothing in the trace is believed.

Each step is taken by the plain reading, each state is compared with the one in the trace, and what the play is said to
show is looked for at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from counterexamples.explain import EndingError, deadlock_instance, make_trace, state_in_words
from counterexamples.expression_checks import chosen_checks
from counterexamples.secrets import differences, pair_of, trace_of_pair
from counterexamples.trace import Trace, TraceStep
from counterexamples.trace_file import BesideData, StepData, TraceFile
from counterexamples.wording import written
from model.documents import load_documents
from model.errors import InputError, Span
from model.game import build_system
from model.readings.evaluate import ReplayError, Valuation, replay
from model.scenario import Scenario, build_scenario
from model.system import Code, Path, Step, TransitionSystem
from properties.kinds import AlwaysPossible, Instance, Secret, instantiate, instantiate_pair
from properties.registry import find_property

__all__ = ["replay_trace"]


def replay_trace(saved: TraceFile, file: str) -> Trace:
    """Execute a saved play again.

    Parameters
    ----------
    file
        Where it was saved, for messages.

    Returns
    -------
    Trace
        The play as the model has it now.

    Raises
    ------
    InputError
        If the scenario in it cannot be built, or the property is not known.
    model.readings.evaluate.ReplayError, EndingError
        If the model does not allow the play, reaches another state, or the play does not show what it is said to.
    """
    documents = load_documents(f"{file}, its scenario", saved.source)
    if len(documents) != 1:
        raise InputError(f"its scenario is one document, found {len(documents)}", Span(file))
    scenario = build_scenario(documents[0])
    if saved.beside is not None:
        return _replay_pair(saved, saved.beside, scenario, file)
    system = build_system(scenario.name, scenario.setup)
    instance = _instance(saved, scenario, system, file)
    path = Path(_initial(system, saved.initial), tuple(_action(system, step) for step in saved.trace().steps))
    _compare_states(replay(system, path), saved.steps, system)
    _confirm(system, instance, path, saved)
    return make_trace(system, scenario, saved.source, instance, path, saved.verdict)


def _instance(saved: TraceFile, scenario: Scenario, system: TransitionSystem, file: str) -> Instance:
    if saved.verdict == "deadlock":
        return deadlock_instance()
    checks = chosen_checks(scenario, [saved.property.id], put=True)
    if not checks:
        raise InputError(f"it is about the property {saved.property.id!r}, which is not known here", Span(file))
    return instantiate(checks[0].property, system)


def _initial(system: TransitionSystem, words: Mapping[str, str]) -> tuple[Code, ...]:
    """The initial state that is called so."""
    names = {str(v) for v in system.variables}
    if names != set(words):
        other = ", ".join(sorted(names ^ set(words))[:5])
        raise ReplayError(f"the states of the play have other variables than those of the model: {other}")
    for variable in system.variables:
        if all(written(variable, code) != words[str(variable)] for code in system.initial[variable]):
            raise ReplayError(f"the play starts with {variable} = {words[str(variable)]}, which is not initial")
    return tuple(next(code for code in system.initial[v] if written(v, code) == words[str(v)])
                 for v in system.variables)


def _action(system: TransitionSystem, step: TraceStep) -> int:
    found = next((i for i, a in enumerate(system.actions) if a.label.key == step.action), None)
    if found is None:
        raise ReplayError(f"step {step.number}, {step.words}: the model has no action {step.action}")
    return found


def _replay_pair(saved: TraceFile, beside: BesideData, scenario: Scenario, file: str) -> Trace:
    """Execute two plays side by side again."""
    prop = find_property(saved.property.id)
    meant = (d for d in differences(scenario)
             if (d.player, d.says(0), d.says(1)) == (beside.player, beside.first, beside.second))
    difference = next(meant, None)
    if difference is None or not isinstance(prop, Secret):
        raise InputError(f"its scenario has no two games that {beside.player} may not tell apart and in which "
                         f"{beside.first}, and {beside.second}", Span(file))
    pair = pair_of(scenario, difference)
    starts = dict(zip(pair.both.variables, next(pair.both.initial_states()), strict=True))
    for system, words in zip(pair.systems, (saved.initial, beside.initial), strict=True):
        starts.update(zip(system.variables, _initial(system, words), strict=True))
    path = Path(tuple(starts[v] for v in pair.both.variables),
                tuple(_action(pair.both, step) for step in saved.trace().steps))
    played = trace_of_pair(pair, pair.both, instantiate_pair(prop, pair.view), path, saved.source)
    assert played.beside is not None
    for mine, theirs in ((played.steps, saved.steps), (played.beside.steps, beside.steps)):
        for step, there in zip(mine, theirs, strict=True):
            _compare(step.state, there)
    return played


def _compare_states(steps: Sequence[Step], theirs: Sequence[StepData], system: TransitionSystem) -> None:
    for step, there in zip(steps, theirs, strict=True):
        _compare(state_in_words(system, step.after), there)


def _compare(state: Mapping[str, str], there: StepData) -> None:
    for name, value in state.items():
        if there.state.get(name) != value:
            raise ReplayError(f"after step {there.number}, {there.words}, {name} is {value} in the model and "
                              f"{there.state.get(name)} in the trace")


def _confirm(system: TransitionSystem, instance: Instance, path: Path, saved: TraceFile) -> None:
    """Check what the ending of the play alone cannot show."""
    steps = replay(system, path)
    last = steps[-1].after if steps else path.initial
    if saved.verdict == "deadlock":
        valuation = Valuation(system, last)
        if valuation.value(system.terminal) or any(valuation.enabled(action) for action in system.actions):
            raise EndingError("a player has a legal action at the end of the play, or the game is over")
    elif isinstance(instance.property, AlwaysPossible) and saved.verdict == "violated":
        _confirm_out_of_reach(system, instance, last)


def _confirm_out_of_reach(system: TransitionSystem, instance: Instance, last: tuple[Code, ...]) -> None:
    from counterexamples.search.explore import explore

    start = dict(zip(system.variables, ((code,) for code in last), strict=True))
    found = explore(replace(system, initial=start), [instance.target])
    if found.hits or not found.complete or found.overflows:
        raise EndingError(f"{instance.property.id} is not shown to be out of reach at the end of the play")
