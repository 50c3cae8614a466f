"""The table of rules: in order, in our words, and complete for all that the model, properties and faults cite."""

from __future__ import annotations

import pytest

from counterexamples.catalogue import rule_index
from counterexamples.faults.catalogue import all_faults
from model.documents import load_document
from model.errors import InputError
from properties.registry import all_properties
from properties.rulebook import RulebookEntry, read_rulebook, rule_order, rulebook
from properties.rulings import load_rulings

ENTRIES = rulebook()
IN_SCOPE = frozenset(entry.rule for entry in ENTRIES if entry.out_of_scope is None)

DECIDE = frozenset(use.rule for use in rule_index().values() if any(place.decides for place in use.uses))
SPOKEN_OF = frozenset(use.rule for use in rule_index().values() if use.uses)
STATED = frozenset(rule for prop in all_properties().values() for rule in prop.cites)
BROKEN = frozenset(rule for fault in all_faults().values() for rule in fault.rules)
RULED = frozenset(rule for ruling in load_rulings() for rule in ruling.cites)


def _id(entry: RulebookEntry) -> str:
    return entry.rule


def test_every_rule_stands_there_once_and_in_order():
    rules = [entry.rule for entry in ENTRIES]
    assert len(rules) == len(set(rules))
    assert rules == sorted(rules, key=rule_order)


@pytest.mark.parametrize("cited", [DECIDE, STATED, BROKEN], ids=["model", "properties", "faults"])
def test_what_is_cited_is_in_scope(cited: frozenset[str]):
    assert cited
    assert sorted(cited - IN_SCOPE, key=rule_order) == []


def test_what_is_spoken_of_is_listed():
    """A keyword's own number stands for its subrules, which say what it does."""
    known = {entry.rule for entry in ENTRIES}
    headings = {rule.rstrip("abcdefghijklmnopqrstuvwxyz") for rule in known}
    assert sorted((SPOKEN_OF | RULED) - known - headings, key=rule_order) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=_id)
def test_says_one_short_sentence(entry: RulebookEntry):
    assert entry.says.endswith(".") and len(entry.says) < 110
    assert entry.says[0].isupper() and ". " not in entry.says


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.out_of_scope is not None], ids=_id)
def test_what_is_out_of_scope_has_a_reason_and_is_cited_by_nothing(entry: RulebookEntry):
    assert entry.out_of_scope is not None
    assert entry.out_of_scope.endswith(".") and len(entry.out_of_scope) < 110
    assert entry.rule not in DECIDE | STATED | BROKEN


@pytest.mark.parametrize("section", ["701.40", "701.58", "701.62", "702.37", "702.168"])
def test_letters_leave_no_gap(section: str):
    letters = [entry.rule.removeprefix(section) for entry in ENTRIES if entry.rule.rstrip("abcdefg") == section]
    assert letters == list("abcdefg")[:len(letters)] and len(letters) > 1


def test_all_of_the_rules_for_face_down_objects_are_there():
    numbers = {rule_order(rule)[1] for rule in IN_SCOPE if rule.startswith("708.")}
    assert numbers == set(range(1, 13))


def test_order_is_that_of_the_rulebook():
    rules = ["712.8a", "708.10", "708.3", "708.2b", "708.2a", "708.2", "701.40g", "603.10a", "116.2b"]
    assert sorted(rules, key=rule_order) == rules[::-1]


@pytest.mark.parametrize("rule", ["708", "708.", "708.2A", "708.0", "708.2l", "708.2o", "8.2", "708.2ab", "CR 708.2"])
def test_what_is_no_rule_number(rule: str):
    with pytest.raises(ValueError, match="is no rule number"):
        rule_order(rule)


@pytest.mark.parametrize(("text", "says"), [
    ("rule: 708.2a", "expected a list of rules"),
    ('- {rule: "708.2a"}', "x.yaml:1:3: the key 'says' is missing"),
    ("- {rule: 708.2, says: It.}", "valid string"),
    ('- {rule: "708.2l", says: It.}', "x.yaml:1:4: rule: .*match pattern"),
    ('- {rule: "708.2a", say: It.}', "unknown key 'say'; did you mean 'says'"),
    ('- {rule: "708.2a", says: It., out_of_scope: ""}', "out_of_scope"),
    ('- {rule: "708.2a", says: It.}\n- {rule: "708.2a", says: It.}', "x.yaml:2:4: the rule 708.2a stands here twice"),
    ('- {rule: "708.10", says: It.}\n- {rule: "708.2", says: It.}', "x.yaml:2:4: 708.2 comes before 708.10"),
])
def test_a_table_that_is_wrong_has_a_place(text: str, says: str):
    with pytest.raises(InputError, match=says):
        read_rulebook(load_document("x.yaml", text))
