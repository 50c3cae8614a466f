"""Traces: what is saved, and what replaying it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterexamples.cli import run_command
from counterexamples.trace_file import _canonical, load_trace
from model.errors import InputError
from tests.cli.process import scenario

Change = Callable[[Any], object]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a trace: the bear is turned face up, and later everybody has passed."""
    folder = tmp_path_factory.mktemp("saved")
    file = scenario(folder, 'never: "bear.face_up and active == bob"', 'possible: "bear.face_down"')
    assert run_command(["check", str(folder / file), "--out", str(folder / "out"), "--quiet"]) == 10
    [trace] = folder.glob("out/run-001/never*.json")
    return trace.read_text(encoding="utf-8")


def replayed(folder: Path, text: str) -> int:
    (folder / "t.json").write_text(text, encoding="utf-8")
    return int(run_command(["replay", str(folder / "t.json")]))


def forged(text: str, change: Change) -> str:
    """A trace that was changed by somebody who knows how to compute the checksum."""
    data = json.loads(text)
    change(data)
    return _canonical(data)


def test_a_trace_holds_everything(saved: str) -> None:
    data = json.loads(saved)
    assert data["schema"] == "facedown.trace/1"
    assert data["property"]["id"] == "never: bear.face_up and active == bob"
    assert data["verdict"] == "violated"
    numbers = [step["number"] for step in data["steps"]]
    assert numbers == list(range(1, len(numbers) + 1))
    variables = set(data["initial"])
    for step in data["steps"]:
        assert set(step["state"]) == variables
        assert {c["variable"] for c in step["changes"]} <= variables
        assert step["cites"]
    assert data["steps"][0]["actor"] == "alice"


def test_a_trace_is_replayed_by_itself(tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(tmp_path, saved) == 0
    assert "replayed: the rules allow all" in capsys.readouterr().out
    assert run_command(["replay", str(tmp_path / "t.json"), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["replayed"] is True


def test_a_trace_with_one_byte_changed_is_refused(tmp_path: Path, saved: str) -> None:
    content = saved.encode()
    path = tmp_path / "t.json"
    for i in range(0, len(content), 7):
        for byte in (content[i] ^ 1, ord(" ")):
            if byte == content[i]:
                continue
            path.write_bytes(content[:i] + bytes([byte]) + content[i + 1:])
            with pytest.raises(InputError):
                load_trace(str(path))


@pytest.mark.parametrize(("text", "says"), [
    ('{"schema": "facedown.trace/2"}', "is of version 'facedown.trace/2'; this facedown reads 'facedown.trace/1'"),
    ('{"x": 1}', "names no schema"), ("[]", "is no trace"), ("{", "is no trace"), ("", "is no trace"),
])
def test_what_is_no_trace_is_refused(tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(tmp_path, text) == 15
    assert says in capsys.readouterr().err


def _swap_states(data: Any) -> None:
    data["steps"][0]["state"], data["steps"][1]["state"] = data["steps"][1]["state"], data["steps"][0]["state"]


FORGERIES: list[tuple[Change, int, str]] = [
    (lambda d: d["steps"][0].update(action="cast(alice)"), 13, "the model has no action cast(alice)"),
    (lambda d: d["steps"][0].update(action=d["steps"][1]["action"]), 13, ""),
    (lambda d: d["steps"].pop(), 13, "does not end with what it is said to show"),
    (lambda d: d["steps"].pop(0), 13, ""),
    (_swap_states, 13, "in the model and"),
    (lambda d: d["initial"].update({"priority": "bob"}), 13, "which is not initial"),
    (lambda d: d["initial"].update({"luck": "yes"}), 13, "other variables than those of the model: luck"),
    (lambda d: d.update(verdict="witnessed"), 13, "does not end with what it is said to show"),
    (lambda d: d.update(verdict="deadlock"), 13, "a player has a legal action"),
    (lambda d: d.update(source=d["source"].replace("generic: 2", "generic: 1")), 13, ""),
    (lambda d: d.update(source=d["source"].replace("Runeclaw Bear", "Runeclaw Bera")), 15, "did you mean"),
    (lambda d: d.update(source=d["source"].replace("bear.face_up", "bear.face_down")), 15, "is not known here"),
    (lambda d: d["property"].update(id="no-such-property"), 15, "is not known here"),
    (lambda d: d.update(verdict="proved"), 15, "verdict"),
    (lambda d: d.update(more=1), 15, "more"),
    (lambda d: d.pop("steps"), 15, "steps"),
    (lambda d: d["steps"][0].update(number="1"), 15, "number"),
]


@pytest.mark.parametrize("number", range(len(FORGERIES)))
def test_a_forged_trace_is_refused(tmp_path: Path, saved: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    change, code, says = FORGERIES[number]
    assert replayed(tmp_path, forged(saved, change)) == code
    shown = capsys.readouterr().err
    assert says in shown
    assert "Traceback" not in shown


def test_a_trace_that_is_written_again_is_the_same(saved: str) -> None:
    assert forged(saved, lambda data: None) == saved
