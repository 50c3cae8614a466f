"""Secrecy: which games are told apart, what two plays side by side are, and what a leak looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from counterexamples.cli import run_command
from counterexamples.faults.catalogue import all_faults
from counterexamples.faults.fault import planted
from counterexamples.search.explore import explore
from counterexamples.secrets import Difference, HiddenCard, PairOfGames, differences, pair_of
from counterexamples.trials import Trial, find_trial, trials
from counterexamples.verdict import ExitCode, Violated
from model.cards.pool import find_card
from model.families import ZONE
from model.readings.evaluate import replay
from model.scenario import Scenario, load_scenarios
from model.system import Monitor
from model.system import Path as Play
from model.terms import FALSE, or_
from model.vocabulary import Zone
from properties.disclosures import DISCLOSURES, Audience, Disclosure, Since
from properties.kinds import Secret, StepView, View, instantiate_pair
from properties.registry import all_properties, find_property

SECRETS = [prop for prop in all_properties().values() if isinstance(prop, Secret)]

TWO_HIDDEN = """\
name: two cards in a hand
players:
  alice: {hand: [Exalted Angel, Hidden Dragonslayer], mana: {generic: 3}}
  bob: {battlefield: [Runeclaw Bear], hand: [Essence Scatter], mana: {generic: 2}}
check:
  - property: no-leak
  - property: no-leak-through-options
"""


def _load(text: str, folder: Path) -> Scenario:
    path = folder / "s.yaml"
    path.write_text(text, encoding="utf-8")
    return load_scenarios(path)[0]


# -- which games -----------------------------------------------------------------------------------


def test_two_hidden_cards_of_one_owner_may_lie_the_other_way_round(tmp_path: Path) -> None:
    found = differences(_load(TWO_HIDDEN, tmp_path))
    assert [(d.player, d.says(0), d.says(1)) for d in found] == [
        ("bob", "card A is Exalted Angel, card B is Hidden Dragonslayer",
         "card A is Hidden Dragonslayer, card B is Exalted Angel"),
    ]


def test_a_scenario_says_what_a_hidden_card_could_be(tmp_path: Path) -> None:
    text = TWO_HIDDEN.replace("players:", "could_be: {angel: [Shock, Runeclaw Bear]}\nplayers:", 1)
    found = differences(_load(text, tmp_path))
    assert [(d.player, d.says(1)) for d in found] == [
        ("bob", "hidden card is Shock"), ("bob", "hidden card is Runeclaw Bear"),
    ]


@pytest.mark.parametrize(("entry", "message", "column"), [
    ("{angle: [Shock]}", "no card is called 'angle'; did you mean 'angel'", 12),
    ("{angel: [Shok]}", "no card 'Shok'; did you mean 'Shock'", 20),
    ("{bear: [Shock]}", "every player can see which card Runeclaw Bear is", 12),
])
def test_a_wrong_could_be_is_refused_with_its_place(tmp_path: Path, entry: str, message: str, column: int,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(TWO_HIDDEN.replace("players:", f"could_be: {entry}\nplayers:", 1), encoding="utf-8")
    assert run_command(["check", str(path), "--jobs", "1"]) is ExitCode.BAD_INPUT
    shown = capsys.readouterr().out
    assert message in shown and f"s.yaml:2:{column}" in shown


def test_where_nothing_is_hidden_secrecy_says_nothing(tmp_path: Path) -> None:
    text = TWO_HIDDEN.replace("hand: [Exalted Angel, Hidden Dragonslayer]", "battlefield: [Exalted Angel]")
    text = text.replace(", hand: [Essence Scatter]", "")
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    assert run_command(["check", str(path)]) is ExitCode.VACUOUS


def test_a_solver_is_not_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(TWO_HIDDEN, encoding="utf-8")
    assert run_command(["check", str(path), "--engine", "bounded"]) is ExitCode.UNDECIDED
    assert "use --engine explore" in capsys.readouterr().out


# -- two plays side by side ------------------------------------------------------------------------


def _pair(folder: Path) -> PairOfGames:
    scenario = _load(TWO_HIDDEN, folder)
    return pair_of(scenario, differences(scenario)[0])


def test_a_play_of_the_composition_is_a_play_of_each_game(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    hidden = [system.schema.setup.objects[0] for system in pair.systems]
    cast = Monitor("cast", pair.view.sides[0][ZONE, hidden[0]].is_(Zone.BATTLEFIELD))
    path = explore(pair.both, [cast]).hits["cast"]
    keys = [pair.both.actions[i].label.key for i in path.actions]
    steps = replay(pair.both, path)
    for system in pair.systems:
        numbers = {action.label.key: i for i, action in enumerate(system.actions)}
        initial = next(system.initial_states())
        own = replay(system, Play(initial, tuple(numbers[key] for key in keys)))
        places = [pair.both.position[v] for v in system.variables]
        assert [tuple(s.after[p] for p in places) for s in steps] == [s.after for s in own]


def test_no_pair_is_followed_once_the_player_knows(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    found = explore(pair.both, [Monitor("told", pair.view.told)])
    assert "told" in found.hits and found.complete
    beyond = {i: pair.view.told for i, _ in enumerate(pair.both.actions)}
    assert not explore(pair.both, [Monitor("beyond", FALSE, beyond)]).hits


def test_a_game_beside_itself_never_leaks_whatever_is_shown(tmp_path: Path) -> None:
    scenario = _load(TWO_HIDDEN, tmp_path)
    angel = find_card("Exalted Angel")
    same = pair_of(scenario, Difference("bob", (HiddenCard(0, "card A", (angel, angel)),)))
    targets = [instantiate_pair(prop, same.view).target for prop in SECRETS]
    assert not explore(same.both, targets).hits


def test_the_games_differ_in_the_hidden_cards_alone(tmp_path: Path) -> None:
    one, two = (scenario.setup for scenario in _pair(tmp_path).scenarios)
    assert [o.name for o in one.objects] == [o.name for o in two.objects]
    cards = [(a.card.name, b.card.name) for a, b in zip(one.objects, two.objects, strict=True)]
    assert cards[:2] == [("Exalted Angel", "Hidden Dragonslayer"), ("Hidden Dragonslayer", "Exalted Angel")]
    assert all(a == b for a, b in cards[2:])
    assert one.steps == two.steps and one.mana == two.mana


# -- leaks -----------------------------------------------------------------------------------------


def test_a_leak_shows_the_two_games_side_by_side_and_is_replayed(tmp_path: Path,
                                                                 capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--ruling", "S13", "--jobs", "1", "--property", "no-leak", "--out", str(tmp_path)]
    with planted(all_faults()["BR-98"]):
        assert run_command(arguments) is ExitCode.VIOLATED
        shown = capsys.readouterr().out
        [saved] = tmp_path.glob("run-001/*.json")
        assert run_command(["replay", str(saved)]) is ExitCode.OK
        assert "where hidden card is Shock" in capsys.readouterr().out
    assert "where hidden card is Exalted Angel" in shown and "where hidden card is Shock" in shown
    assert "To bob this is yes where hidden card is Exalted Angel, and no where hidden card is Shock." in shown
    data = json.loads(saved.read_text(encoding="utf-8"))
    assert len(data["beside"]["steps"]) == len(data["steps"]) == 4
    assert [s["action"] for s in data["steps"]] == [s["action"] for s in data["beside"]["steps"]]
    # The rules as they are show nothing there, so the trace is refused.
    assert run_command(["replay", str(saved)]) is ExitCode.DISAGREEMENT


def test_the_play_of_a_leak_is_shortest() -> None:
    trial = find_trial("S13/3")
    with planted(all_faults()["BR-98"]):
        verdict = trial.settle([find_property("no-leak")], trial.system)[find_property("no-leak")]
    assert isinstance(verdict, Violated)
    # Cast, two passes, resolution: before that nothing of the player's is face down.
    assert len(verdict.trace.steps) == 4


# -- the table -------------------------------------------------------------------------------------


def test_every_disclosure_applies_in_some_shipped_scenario() -> None:
    waiting = list(DISCLOSURES)
    for trial in trials():
        waiting = [entry for entry in waiting if not _applies(trial, entry)]
    assert not waiting


def _applies(trial: Trial, entry: Disclosure) -> bool:
    system = trial.system
    before = View(system, system.symbolic_state())
    steps = (StepView(system, action, before) for action in system.actions)
    found = {i: or_(*(entry.applies(step, o, p) for o in step.setup.objects for p in step.setup.players))
             for i, step in enumerate(steps)}
    return bool(explore(system, [Monitor("applies", FALSE, found)], max_states=20_000).hits)


def test_disclosures_say_what_to_whom_and_from_when() -> None:
    for entry in DISCLOSURES:
        assert entry.reveals and isinstance(entry.to, Audience) and isinstance(entry.since, Since)
    assert {entry.since for entry in DISCLOSURES if entry.to is Audience.CONTROLLER} == {Since.WHILE}


LENT = """\
name: an Equipment on a face-down creature
cards:
  Spyglass Case: {cost: "{1}", type: Artifact, abilities: [{look_at: face-down creature}]}
could_be: {hidden: [Runeclaw Bear]}
players:
  alice: {battlefield: [{card: Shock, as: hidden, face_down: manifest}, {card: Bonesplitter, attached_to: hidden}]}
  bob: {}
check:
  - property: no-leak
"""


def test_what_is_attached_to_a_hidden_card_is_attached_in_both_games(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(LENT, encoding="utf-8")
    assert run_command(["check", str(path)]) is ExitCode.OK


def test_who_may_know_from_the_start_can_be_told_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(LENT.replace("bob: {}", "bob: {battlefield: [Spyglass Case]}"), encoding="utf-8")
    assert run_command(["check", str(path)]) is ExitCode.VACUOUS
    assert "may know from the start" in capsys.readouterr().out
