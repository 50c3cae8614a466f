"""What a command line selects, and that what must stay possible is judged on the whole graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterexamples.check import Options, check_scenario
from counterexamples.cli import run_command
from counterexamples.expression_checks import checks_of, chosen_checks
from counterexamples.replaying import replay_trace
from counterexamples.selection import scenario_text, select
from counterexamples.trace_file import load_trace, serialised
from counterexamples.verdict import HoldsTo, Proved, Undecided, Violated
from model.characteristics import look
from model.documents import load_documents
from model.errors import InputError, UsageError
from model.expressions import parse_expression
from model.families import ACTIVE
from model.scenario import Scenario, load_scenarios
from model.terms import TRUE
from properties.kinds import AlwaysPossible, Clause
from tests.cli.process import scenario


def _load(folder: Path, *checks: str) -> Scenario:
    return load_scenarios(folder / scenario(folder, *checks))[0]


def _stays_possible(found: Scenario, expression: str) -> AlwaysPossible:
    return AlwaysPossible("stays-possible", "It stays possible.", (), formula=lambda view: [
        Clause(expression, TRUE, parse_expression(expression, found, view.state))])


def test_what_stays_possible_is_proved(tmp_path: Path) -> None:
    found = _load(tmp_path, 'never: "bear.tapped"')
    result = check_scenario(found, "", [_stays_possible(found, "bear.face_up")], Options())
    assert isinstance(result.results[0].verdict, Proved)


def test_what_does_not_stay_possible_is_shown_where_it_is_lost(tmp_path: Path) -> None:
    found = _load(tmp_path, 'never: "bear.tapped"')
    result = check_scenario(found, "", [_stays_possible(found, "bear.face_down and active == bob")], Options())
    verdict = result.results[0].verdict
    assert isinstance(verdict, Violated)
    assert [step.words for step in verdict.trace.steps] == ["turn bear face up for its mana cost {1}{G}"]
    assert verdict.trace.cause == "After step 1 no play reaches it any more."


def test_what_stays_possible_is_left_open_when_not_all_was_explored(tmp_path: Path) -> None:
    found = _load(tmp_path, 'never: "bear.tapped"')
    prop = _stays_possible(found, "bear.face_up")
    for options in (Options(max_states=3), Options(engine="bounded"), Options(engine="induction")):
        assert isinstance(check_scenario(found, "", [prop], options).results[0].verdict, Undecided | HoldsTo)


def test_an_expression_is_broken_into_the_parts_that_can_be_false(tmp_path: Path) -> None:
    found = _load(tmp_path, 'never: "bear.tapped or bear.face_up"', 'always: "bear.face_down and alice.life == 20"')
    result = check_scenario(found, "", [check.property for check in checks_of(found)], Options())
    clauses = [r.verdict.trace.clause for r in result.results if isinstance(r.verdict, Violated)]
    assert clauses == ["not (bear.face_up)", "bear.face_down"]


def test_a_name_of_ones_own(tmp_path: Path) -> None:
    found = _load(tmp_path, '{never: "bear.tapped", name: untapped}', 'property: cause-is-kept')
    assert [c.property.id for c in chosen_checks(found, [], put=False)] == ["untapped", "cause-is-kept"]
    assert [c.property.id for c in chosen_checks(found, ["untapped"], put=False)] == ["untapped"]
    assert [c.property.id for c in chosen_checks(found, ["no-card-is-lost"], put=True)] == ["no-card-is-lost"]
    assert chosen_checks(found, ["no-card-is-lost"], put=False) == []


def test_rulings_are_selected_by_id_and_in_order() -> None:
    assert {item.ruling for item in select([], ["s24", "S2"], []).items} == {"S2", "S24"}
    everything = select([], [], []).items
    assert list(dict.fromkeys(item.ruling for item in everything)) == [f"S{i}" for i in range(1, 32)]
    with pytest.raises(UsageError, match="they are S1 to S31"):
        select([], ["S32"], [])


def test_a_folder_is_every_scenario_file_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.yaml", "deep/a.yml"):
        scenario(tmp_path, 'never: "bear.tapped"', file=name)
    (tmp_path / "notes.txt").write_text("no scenario", encoding="utf-8")
    found = select([str(tmp_path)], [], [])
    assert [Path(item.path).name for item in found.items] == ["b.yaml", "a.yml"]
    assert found.own


def test_a_mistake_in_the_last_file_is_found_before_the_first_is_searched(tmp_path: Path) -> None:
    good = scenario(tmp_path, 'never: "bear.tapped"', file="a.yaml")
    bad = scenario(tmp_path, "nver: x", file="b.yaml")
    with pytest.raises(InputError, match="unknown key 'nver'"):
        select([str(tmp_path / good), str(tmp_path / bad)], [], [])


def test_a_trace_from_a_file_of_several_scenarios_holds_its_own_text(tmp_path: Path) -> None:
    texts = [(tmp_path / scenario(tmp_path, f'never: "bear.face_up"  # {i}', mana=i + 1, file=f"{i}.yaml")).read_text()
             for i in range(3)]
    whole = "# three\n---\n" + "---\n".join(texts)
    lines = [document.places[()][0] for document in load_documents("x", whole)]
    assert [scenario_text(whole, lines, i) for i in range(3)] == texts
    (tmp_path / "all.yaml").write_text(whole, encoding="utf-8")
    out = str(tmp_path / "out")
    assert run_command(["check", str(tmp_path / "all.yaml"), "--out", out, "--jobs", "1", "--quiet"]) == 10
    traces = sorted((tmp_path / "out" / "run-001").iterdir())
    assert len(traces) == 2
    for trace in traces:
        assert run_command(["replay", str(trace)]) == 0


def test_a_play_that_loses_a_possibility_can_be_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _load(tmp_path, 'never: "bear.tapped"')
    prop = AlwaysPossible("stays-possible", "It stays possible.", (), formula=lambda view: [Clause(
        "face down in the other player's turn", look(view.state).face_down(view.setup.objects[0]),
        view[ACTIVE,].is_(view.setup.players[1]))])
    source = (tmp_path / "bear.yaml").read_text(encoding="utf-8")
    verdict = check_scenario(found, source, [prop], Options()).results[0].verdict
    assert isinstance(verdict, Violated)
    path = tmp_path / "t.json"
    path.write_text(serialised(verdict.trace, version="0", edition="none"), encoding="utf-8")
    monkeypatch.setattr("counterexamples.expression_checks._known", lambda _: prop)
    assert replay_trace(load_trace(str(path)), str(path)) == verdict.trace
