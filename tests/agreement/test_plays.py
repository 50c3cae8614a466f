"""Scripted plays: nine other engines' tests, the layer examples and the traps, against the rules of the model."""

from __future__ import annotations

from collections import Counter

import pytest

from counterexamples.play import Failed, Passed, SetAside, play_scenario
from model.documents import Document
from model.scenario import build_scenario
from tests.plays import play_documents

PEERS = list(play_documents("peers"))
RULES = list(play_documents("rules"))


def _name(document: Document) -> str:
    source = document.data.get("source") or {}
    return str(source.get("id") or f"{source.get('example')}: {document.data['name']}")


@pytest.mark.parametrize("document", [*PEERS, *RULES], ids=_name)
def test_play(document: Document):
    reasons = [document.data[key] for key in ("unsupported", "disputed") if key in document.data]
    if reasons:
        assert reasons[0], "a scenario that is set aside says why"
        return
    played = play_scenario(build_scenario(document))
    assert isinstance(played, Passed), played


def test_every_peer_test_is_there_and_nearly_all_pass():
    ids = Counter(_name(document) for document in PEERS)
    assert sum(ids.values()) == 309
    assert max(ids.values()) == 1
    aside = [document for document in PEERS if {"unsupported", "disputed"} & document.data.keys()]
    assert len(PEERS) - len(aside) >= 300


def test_every_layer_example_and_trap_is_there():
    examples = {str((document.data.get("source") or {}).get("example")) for document in RULES}
    assert {f"E{i}" for i in range(1, 38)} <= examples
    assert len({f"C{i}" for i in range(1, 40)} & examples) >= 35


def test_a_negative_control_says_what_the_peer_wants():
    for document in PEERS:
        if (document.data["source"]).get("agrees") == "no":
            assert document.data.get("note")


def _broken(document: Document, **changes: object) -> Document:
    return Document({**document.data, **changes}, document.places, document.file)


def test_a_wrong_expectation_is_noticed():
    """Planted: the negation of what each of these scenarios expects must fail at the end."""
    noticed = 0
    for document in PEERS[:40]:
        expected = document.data.get("expect") or []
        if expected and not {"unsupported", "disputed"} & document.data.keys():
            wrong = [f"not ({expected[0]})"]
            played = play_scenario(build_scenario(_broken(document, expect=wrong)))
            assert isinstance(played, Failed) and played.step == 0, document.data["name"]
            noticed += 1
    assert noticed > 25


def test_a_step_that_is_not_enabled_is_explained():
    document = next(d for d in PEERS if "unsupported" not in d.data and d.data.get("play"))
    player = next(iter(document.data["players"]))
    played = play_scenario(build_scenario(_broken(document, play=[{"illegal": {player: "pass"}}])))
    assert isinstance(played, Failed)
    assert "the rules allow it" in played.why
    assert played.enabled


def test_what_is_set_aside_is_no_pass():
    document = next(d for d in PEERS if "unsupported" not in d.data)
    played = play_scenario(build_scenario(_broken(document, unsupported="tests of the tests")))
    assert played == SetAside("unsupported", "tests of the tests")
