"""``show`` and ``list``: what is there, and what refers to what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from counterexamples.card_text import card_lines
from counterexamples.catalogue import find_rule, rule_index, rulings
from model.cards.pool import card_data, names
from properties.registry import all_properties
from tests.cli.process import facedown


def test_a_ruling_says_what_states_and_what_exercises_it(tmp_path: Path) -> None:
    shown = facedown("show", "ruling", "s24", cwd=tmp_path).out
    for expected in ("it is revealed and stays face down", "701.40g", "20 September 2024",
                     "instant-or-sorcery-is-revealed-and-stays-down (StepRule)", "facedown check --ruling S24"):
        assert expected in shown


def test_a_property_says_what_it_states_and_where_it_is_checked(tmp_path: Path) -> None:
    shown = facedown("show", "property", "cause-is-kept", cwd=tmp_path).out
    for expected in ("StepRule", "708.2b", "S22, S23", "S24: ", "facedown check --property cause-is-kept"):
        assert expected in shown


def test_a_rule_says_where_the_model_uses_it_and_what_states_it(tmp_path: Path) -> None:
    shown = facedown("show", "rule", "701.40b", cwd=tmp_path).out
    for expected in ("model/rules/special_actions.py", "_turn_up_for_mana_cost", "S4", "turned-up-for-mana-cost"):
        assert expected in shown


@pytest.mark.parametrize(("kind", "expected"), [
    ("rulings", "S31"), ("properties", "cause-is-kept"), ("cards", "Killer's Mask"), ("rules", "708.2a"),
])
def test_a_list(tmp_path: Path, kind: str, expected: str) -> None:
    assert expected in facedown("list", kind, cwd=tmp_path).out


def test_what_cards_cannot_do_is_listed(tmp_path: Path) -> None:
    shown = facedown("list", "cards", "--missing", cwd=tmp_path).out
    unsupported = [name for name in names() if card_data(name).missing]
    assert all(name in shown for name in unsupported)
    assert "Killer's Mask" not in shown


def test_every_card_can_be_put_into_words() -> None:
    for name in names():
        data = card_data(name)
        lines = list(card_lines(data.card(name)))
        assert lines[0].startswith(name)
        assert not any("object at 0x" in line or "PydanticUndefined" in line for line in lines)


def test_all_rulings_are_there_and_name_properties_that_exist() -> None:
    assert [ruling.id for ruling in rulings()] == [f"S{i}" for i in range(1, 32)]
    for ruling in rulings():
        for id_ in (*ruling.data.properties, *(p for s in ruling.scenarios for p in s.properties)):
            assert id_ in all_properties()


def test_the_index_of_rules_is_in_the_order_of_the_rulebook() -> None:
    index = list(rule_index())
    assert index.index("701.40b") < index.index("701.40g") < index.index("708.2a")
    assert all(use.where.startswith("model/") for use in find_rule("708.2a").uses)


def test_the_benchmark_says_what_was_measured(tmp_path: Path) -> None:
    done = facedown("bench", "--json", "-", cwd=tmp_path)
    found = json.loads(done.out)["measurements"]
    assert done.code == 0
    assert [m["scenario"].split(":")[0] for m in found] == ["small", "medium", "large"]
    assert found[-1]["cards"] >= 10
    assert found[-1]["states"] >= 1_000_000
    assert all(m["words"] * 64 >= m["bits"] > 0 and m["terms"] > 0 and m["transitions"] > 0 for m in found)
    assert "states/s" in done.err


def test_help_names_every_command(tmp_path: Path) -> None:
    shown = facedown("--help", cwd=tmp_path).out
    for command in ("check", "replay", "show", "list", "schema", "bench", "exit-codes"):
        assert f"\n  {command}" in shown
