"""Mutants: each is where it says, goes away again, and is noticed or proved to be none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import counterexamples.mutation.campaign as campaign
from counterexamples.cli import run_command
from counterexamples.mutation.campaign import Fate, run_mutant
from counterexamples.mutation.comparison import differences_between, prove_equal, shortest_difference
from counterexamples.mutation.mutant import all_mutants, find_mutant, mutated, rule_functions
from counterexamples.mutation.operators import OPERATORS
from counterexamples.mutation.survey import statements_run
from counterexamples.search._smt_solver import Sat, Unsat
from counterexamples.trials import Trial, documents_of, find_trial, places
from counterexamples.verdict import ExitCode
from model.errors import UsageError
from model.families import MANA
from model.game import build_system
from model.rules import special_actions
from model.state import Requirement
from model.terms import FALSE
from model.vocabulary import ManaKind

ROUTE = "present-for-hypothetical:rules.special_actions._turn_up_for_keyword"
ATTEMPT = "guard-dropped:rules.special_actions._require_face_down:3"


def test_every_operator_finds_a_place() -> None:
    assert {m.operator.name for m in all_mutants().values()} == {operator.name for operator in OPERATORS}
    assert all(m.site.was and m.site.becomes and m.site.was != m.site.becomes for m in all_mutants().values())


def test_every_mutant_compiles_and_goes_away_again() -> None:
    before = {name: dict(vars(source.module)) for name, source in rule_functions().items()}
    for mutant in all_mutants().values():
        with mutated(mutant):
            source = rule_functions()[mutant.function]
            holder = source.function.__qualname__.rpartition(".")[0]
            present = vars(getattr(source.module, holder) if holder else source.module)[source.function.__name__]
            assert present is not source.function
    for name, source in rule_functions().items():
        assert all(vars(source.module)[key] is value for key, value in before[name].items()), name


def test_a_mutant_changes_the_line_that_it_names() -> None:
    for mutant in all_mutants().values():
        source = rule_functions()[mutant.function]
        assert source.tree.lineno <= mutant.site.line <= mutant.site.last <= (source.tree.end_lineno or 0)


def test_a_name_that_is_near_is_offered() -> None:
    with pytest.raises(UsageError, match=ATTEMPT):
        find_mutant(ATTEMPT.replace("_require", "_requires"))


@pytest.mark.parametrize(("id_", "place", "by"), [
    (ROUTE, "S7/2", "keyword-route-open-with-cost"),
    (ATTEMPT, "anybody/1", "keyword-route-needs-the-keyword"),
    ("copiable-for-card:rules.special_actions._for_mana_cost", "S4/2", "manifested-creature-card-may-be-turned-up"),
    ("citation-removed:rules.turning.turn_up", "turned_up_watchers/1", "what-decides-is-named"),
])
def test_a_mutant_is_killed_by_a_property_that_names_the_rule(id_: str, place: str, by: str) -> None:
    result = run_mutant((id_, (place,)))
    assert result.fate is Fate.KILLED and result.by == by and result.names_the_rule


def test_a_line_that_no_scenario_runs_is_said_to_be_so() -> None:
    assert run_mutant((ROUTE, ())).fate is Fate.NOT_RUN


def test_only_lines_that_are_run_count() -> None:
    name = "rules.special_actions._turn_up_for_mana_cost"
    run = {line for function, line in statements_run("S4/1") if function == name}
    tree = rule_functions()[name].tree
    assert tree.lineno < min(run) < max(run) <= (tree.end_lineno or 0)
    assert not any(function == "rules.combat._attack" for function, _ in statements_run("S4/1"))
    assert "__about_to_run__" not in vars(special_actions)


# -- whether two models are one -------------------------------------------------------------------


def test_a_model_is_equal_to_itself_term_by_term() -> None:
    trial = find_trial("S8/1")
    again = build_system(trial.scenario.name, trial.scenario.setup, trial.schema)
    assert again is not trial.system and differences_between(trial.system, again) == []


def test_a_difference_is_found_by_the_solver_and_shown_by_a_shortest_play() -> None:
    trial = find_trial("anybody/1")
    with mutated(find_mutant(ATTEMPT)):
        wrong = build_system(trial.scenario.name, trial.scenario.setup, trial.schema)
    differs = differences_between(trial.system, wrong)
    assert isinstance(prove_equal(trial.system, differs), Sat)
    difference, whole = shortest_difference(trial.system, differs)
    assert whole and difference is not None and difference.how == "more can be done there"
    # Something has to be turned face up before it can be turned face up again.
    assert any("face up" in words for words in difference.play)


def test_relations_that_are_written_differently_and_are_equal_are_proved_equal() -> None:
    trial = find_trial("S4/1")
    system = trial.system
    index, action = next((i, a) for i, a in enumerate(system.actions) if a.label.rule == "turn face up for mana cost")
    game = system.symbolic_state()
    follows = game[MANA, game.setup.players[0], ManaKind.ANY] >= 1
    more = replace(action, requirements=(*action.requirements, Requirement(follows, "there is some mana", "118.3")))
    other = replace(system, actions=tuple(more if i == index else a for i, a in enumerate(system.actions)))
    [differs] = differences_between(system, other)
    assert differs.goes_on is not FALSE
    assert isinstance(prove_equal(system, [differs]), Unsat)


def test_a_mutant_that_nothing_watches_survives_with_a_play(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unwatched(Trial):
        """A scenario that checks nothing."""

        properties, verdicts = (), {}  # type: ignore[assignment,var-annotated]

    monkeypatch.setattr(campaign, "all_properties", dict)
    monkeypatch.setattr(campaign, "find_trial", lambda place: Unwatched(place, *documents_of(place)[0]))
    result = run_mutant((ATTEMPT, ("anybody/1",)))
    assert result.fate is Fate.SURVIVED and result.difference is not None and result.how


def test_places_are_all_shipped_scenarios() -> None:
    assert {"S1/1", "S31/1"} <= set(places()) and len(set(places())) == len(places())


# -- the command -----------------------------------------------------------------------------------


def test_the_command_runs_the_mutants_of_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.json"
    assert run_command(["mutants", "present-for-hypothetical", "--json", str(path), "--jobs", "1"]) is ExitCode.OK
    assert "100.0 % of those that differ" in capsys.readouterr().out
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["schema"] == "facedown.mutants/1" and document["exit_code"] == 0
    assert document["summary"]["killed"] == len(document["mutants"]) == 2
    assert all(m["rules"] and m["by"] and m["scenario"] for m in document["mutants"])


def test_the_command_lists_mutants(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["mutants", "turning.turn_up", "--list"]) is ExitCode.OK
    assert "rules.turning" in capsys.readouterr().out


def test_a_name_that_no_mutant_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["mutants", "no such rule"]) is ExitCode.USAGE
    assert "no mutant has no such rule in its name" in capsys.readouterr().err
