"""Card and scenario data: costs, phrases, YAML with places, expressions."""

from __future__ import annotations

import pytest

from model.cards.cost import ManaCost, Payment
from model.cards.fields import Amount
from model.cards.phrases import Filter, Selector, Who
from model.concrete import Position
from model.documents import load_documents
from model.errors import InputError
from model.expressions import parse_expression
from model.scenario import load_scenarios
from model.vocabulary import Colour, ManaKind, Type, Zone


def test_costs():
    cost = ManaCost.parse("{X}{2}{R/W}{W}")
    assert cost.mana_value == 4
    assert cost.colours == {Colour.RED, Colour.WHITE}
    assert {str(p) for p in cost.payments(x=1)} == {"{3}{W}{R}", "{3}{W}{W}"}
    assert Payment(3).taxed(-5) == Payment(0)
    assert ManaCost.parse("{W/P}").payments()[1] == Payment(life=2)


@pytest.mark.parametrize("text", ["{Q}", "2W", "{W", "", "{2/3}"])
def test_costs_that_do_not_parse(text: str):
    with pytest.raises(ValueError, match="accepted are"):
        ManaCost.parse(text)


def test_filters():
    wanted = Filter.parse("another face-down nontoken creature an opponent controls with power 3 or less")
    assert wanted.other and wanted.face_down and wanted.token is False and wanted.controller == "opponent"
    assert wanted.all_types == {Type.CREATURE} and wanted.power == (None, 3)
    assert Filter.parse("artifact or enchantment").types == {Type.ARTIFACT, Type.ENCHANTMENT}
    assert Filter.parse("instant card in your graveyard").zone is Zone.GRAVEYARD
    assert Filter.parse("Beast creature").subtypes == {"Beast"}


def test_an_unknown_word_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'creature'"):
        Filter.parse("face-down creture")


def test_selectors_and_amounts():
    assert Selector.parse("controller of second target").of == Selector(Who.TARGET, slot=1)
    assert Selector.parse("each other creature").who is Who.EACH
    with pytest.raises(ValueError, match="names nothing"):
        Selector.parse("somebody")
    assert Amount.parse("-2X") == Amount(per_x=-2)
    with pytest.raises(ValueError, match="no amount"):
        Amount.parse("many")


def test_words_of_yaml_stay_words():
    (document,) = load_documents("x.yaml", "on: no\nyes: true\n")
    assert document.data == {"on": "no", "yes": True}


@pytest.mark.parametrize(("text", "place"), [
    ("a: 1\na: 2\n", "x.yaml:2:1"),
    ("a: [1\n", "x.yaml:2:1"),
    ("a: {b: 1, b: 2}\n", "x.yaml:1:11"),
])
def test_yaml_that_is_wrong_has_a_place(text: str, place: str):
    with pytest.raises(InputError, match=place):
        load_documents("x.yaml", text)


SCENARIO = """
name: two bears
players:
  alice: {battlefield: [{card: Runeclaw Bear, face_down: manifest}], hand: [Exalted Angel], mana: {generic: 3}}
  bob: {life: 7}
"""


def _truth(expression: str) -> bool:
    (scenario,) = load_scenarios("x.yaml", SCENARIO)
    return bool(parse_expression(expression, scenario, Position(scenario.setup).view()))


@pytest.mark.parametrize("expression", [
    "bear.face_down and not bear.name", "bear.power == 2 and bear.toughness == 2", "bear.controller == alice",
    "bear.cause == manifest", "exalted_angel.zone == hand", "bob.life < 8 and alice.life == 20",
    "count('face-down creature', alice) == 1", "bear.zone in (battlefield, stack)", "not knows(bob, bear)",
    "alice.mana - 1 == 2", "1 < bear.power <= 2", "not has(bear, 'flying')",
])
def test_expressions(expression: str):
    assert _truth(expression)


@pytest.mark.parametrize(("expression", "says"), [
    ("wolf.power == 2", "names no object"), ("bear.powr == 2", "did you mean 'power'"),
    ("bear.zone == nowhere", "names no object or player"), ("bear.power == 'two'", "compares a integer with the name"),
    ("bear.name < 3", "only numbers have an order"), ("bear.power", "not a condition"),
    ("bear.power ==", "cannot be parsed"), ("__import__('os')", "accepted are count"),
    ("bear.zone == 'hands'", "did you mean 'hand'"),
])
def test_expressions_that_are_wrong(expression: str, says: str):
    with pytest.raises(InputError, match=says):
        _truth(expression)


@pytest.mark.parametrize(("change", "says"), [
    (("Runeclaw Bear", "Runeclaw Bare"), "did you mean 'Runeclaw Bear'"),
    (("{life: 7}", "{life: 0}"), "greater than or equal to 1"),
    (("{life: 7}", "{lif: 7}"), "unknown key 'lif'; did you mean 'life'"),
    (("generic: 3", "generic: lots"), "valid integer"),
    (("face_down: manifest", "face_down: hidden"), "'manifest'"),
    (("name: two bears", "title: two bears"), "unknown key 'title'"),
    (("[Exalted Angel]", "[{card: Shock, tapped: true}]"), "tapped is for cards on the battlefield"),
    (("face_down: manifest", "controller: carol"), "no player is called 'carol'"),
])
def test_scenarios_that_are_wrong(change: tuple[str, str], says: str):
    with pytest.raises(InputError, match=says) as caught:
        load_scenarios("x.yaml", SCENARIO.replace(*change))
    assert caught.value.span is not None and caught.value.span.line > 1


def test_mana_kinds_are_written_as_symbols():
    assert {kind.value for kind in ManaKind} == {"W", "U", "B", "R", "G", "C", "generic", "face-down"}
