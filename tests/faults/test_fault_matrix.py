"""Every gate can fail: each planted fault turns what must catch it red, and only while it is planted."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import model
from counterexamples.cli import run_command
from counterexamples.commands.faults import MOST_OUTSIDE
from counterexamples.faults.catalogue import all_faults, outside
from counterexamples.faults.fault import Fault, planted
from counterexamples.faults.matrix import cites_overlap, judge, settle
from counterexamples.trials import documents_of, is_red
from counterexamples.verdict import ExitCode, word
from model.characteristics import Look
from model.rules import turning
from properties.kinds import Possible
from properties.registry import all_properties, find_property

FAULTS = list(all_faults().values())

REPORTS = 75
"""How many public reports there are."""


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_planted_fault_turns_red_what_must_catch_it(fault: Fault) -> None:
    result = judge(fault)
    assert result.problem is None
    assert not result.missing, f"{fault.says} Not red: {result.missing}"
    assert result.is_caught, f"no property that turned red cites one of {fault.rules}"


def test_without_faults_the_same_checks_are_green_and_say_something() -> None:
    wanted: dict[str, set[str]] = {}
    for fault in FAULTS:
        for place in fault.on:
            wanted.setdefault(place, set()).update(fault.caught_by)
    reds, said = [], set()
    for place, names in wanted.items():
        for document, text in documents_of(place):
            for prop, verdict in settle(document, text, [find_property(name) for name in sorted(names)]).items():
                if word(verdict) in ("proved", "holds_to_bound", "witnessed"):
                    said.add(prop.id)
                # What one scenario of a place shows need not be possible in each.
                elif is_red(verdict) and not isinstance(prop, Possible):
                    reds.append((place, prop.id, word(verdict)))
    assert not reds
    assert {name for names in wanted.values() for name in names} == said


def test_every_property_is_broken_by_some_fault() -> None:
    broken = {name for fault in FAULTS for name in fault.caught_by}
    assert set(all_properties()) <= broken


def test_every_public_report_is_planted_or_left_out_with_a_reason() -> None:
    planted_ids = {fault.id for fault in FAULTS if fault.id.startswith("BR-")}
    left_out = {entry.id for entry in outside()}
    assert not planted_ids & left_out
    assert len(planted_ids | left_out) == REPORTS
    assert len(outside()) <= MOST_OUTSIDE
    assert all(entry.reason and entry.says for entry in outside())


def test_faults_name_properties_and_scenarios_that_exist() -> None:
    for fault in FAULTS:
        assert all(find_property(name) for name in fault.caught_by)
        assert all(documents_of(place) for place in fault.on)
        assert fault.says.endswith(".") and fault.rules and fault.kind


# -- planting -----------------------------------------------------------------------------------------


def _attributes() -> dict[tuple[str, str], Any]:
    """Everything that a module or class of the model has under a name."""
    found: dict[tuple[str, str], Any] = {}
    for module in _modules():
        for name, value in vars(module).items():
            found[module.__name__, name] = value
            if isinstance(value, type) and value.__module__ == module.__name__:
                found |= {(f"{module.__name__}.{name}", key): part for key, part in vars(value).items()}
    return found


def _modules() -> Iterator[Any]:
    for entry in pkgutil.walk_packages(model.__path__, "model."):
        if ".readings" not in entry.name:
            yield importlib.import_module(entry.name)


def test_planting_restores_everything_even_after_an_exception() -> None:
    before = _attributes()
    for fault in FAULTS:
        with pytest.raises(RuntimeError), planted(fault):
            raise RuntimeError("on purpose")
    after = _attributes()
    assert before.keys() == after.keys()
    assert [key for key, value in before.items() if after[key] is not value] == []


def test_a_fault_is_planted_in_every_module_that_has_the_rule_and_in_classes() -> None:
    from model.effects import face_down
    from model.rules import special_actions

    right = turning.turn_up
    with planted(all_faults()["BR-56"]):
        assert turning.turn_up is not right
        assert turning.turn_up is special_actions.turn_up is face_down.turn_up
    assert turning.turn_up is special_actions.turn_up is face_down.turn_up is right
    method = Look.mana_value
    with planted(all_faults()["BR-08"]):
        assert Look.mana_value is not method
    assert Look.mana_value is method


def test_a_fault_of_a_rule_that_the_model_does_not_have_is_refused() -> None:
    def gone() -> None:
        """No rule of the model."""

    lost = replace(FAULTS[0], breaks=(gone,))
    with pytest.raises((LookupError, AttributeError)), planted(lost):
        pass


def test_the_model_knows_nothing_of_faults() -> None:
    folder = Path(model.__path__[0])
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "counterexamples" not in text.replace("counterexamples/", ""), path
        assert "planted" not in text, path


# -- the gate of the gates ----------------------------------------------------------------------------


def test_a_fault_that_changes_nothing_is_not_caught() -> None:
    harmless = replace(all_faults()["BR-50"], wrong=lambda right, *args, **kwargs: right(*args, **kwargs))
    result = judge(harmless)
    assert not result.is_caught and result.missing == harmless.caught_by and result.problem is None


def test_a_fault_that_only_an_unrelated_property_notices_is_not_caught() -> None:
    unrelated = replace(all_faults()["BR-50"], rules=("100.1",))
    result = judge(unrelated)
    assert result.reds and not result.missing and not result.is_caught


def test_what_is_red_without_the_fault_is_not_its_doing() -> None:
    always = replace(all_faults()["BR-50"], caught_by=("turned-up-for-mana-cost-without-abilities",), on=("S7/1",))
    result = judge(always)
    assert result.missing == always.caught_by and not result.is_caught


def test_a_fault_that_breaks_the_machine_is_not_caught() -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError("on purpose")

    result = judge(replace(all_faults()["BR-50"], wrong=broken))
    assert not result.is_caught and result.problem == "ZeroDivisionError: on purpose"


@pytest.mark.parametrize(
    ("cited", "broken", "overlap"),
    [
        (["708.2a"], ["708.2a"], True), (["708.2"], ["708.2a"], True), (["708.2a"], ["708.2"], True),
        (["708.2a"], ["708.2b"], False), (["708.2"], ["708.20"], False), ([], ["708.2"], False),
    ],
)
def test_a_property_names_a_rule_if_it_cites_it_or_the_whole_of_which_it_is_a_part(
    cited: list[str], broken: list[str], overlap: bool,
) -> None:
    assert cites_overlap(cited, broken) is overlap


# -- the command --------------------------------------------------------------------------------------


def test_the_command_prints_the_play_of_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["faults", "BR-56", "--no-progress"]) is ExitCode.OK
    shown = capsys.readouterr().out
    assert "turning-up-is-no-entering" in shown and "VIOLATED" in shown and "turn hidden warden face up" in shown
    assert "1 caught, 0 not caught" in shown


def test_the_command_writes_the_matrix_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "faults.json"
    assert run_command(["faults", "BR-50", "BR-40", "br-101", "--json", str(path), "--no-progress"]) is ExitCode.OK
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["summary"] == {"caught": 1, "not_caught": 0, "outside": 2}
    (fault,) = document["faults"]
    assert fault["caught"] and fault["play"] and "turning-up-is-paid-in-full" in {r["property"] for r in fault["reds"]}
    assert [entry["id"] for entry in document["not_planted"]] == ["BR-40", "BR-101"]


def test_a_fault_that_does_not_exist_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["faults", "BR-999", "--no-progress"]) is ExitCode.USAGE


def test_an_uncaught_fault_is_exit_10(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    harmless = replace(all_faults()["BR-50"], wrong=lambda right, *args, **kwargs: right(*args, **kwargs))
    monkeypatch.setattr("counterexamples.faults.matrix.find_fault", lambda id_: harmless)
    assert run_command(["faults", "BR-50", "--no-progress"]) is ExitCode.VIOLATED
    assert "NOT CAUGHT" in capsys.readouterr().out
