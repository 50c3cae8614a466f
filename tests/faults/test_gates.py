"""What gates do beyond turning red, which ``test_checker_faults.py`` is about: whom they spare, and what they say."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

import counterexamples.check
import counterexamples.explain
import counterexamples.run
from counterexamples.check import check_scenario
from counterexamples.cli import run_command
from counterexamples.options import Options
from counterexamples.run import Failed, Settled, run
from counterexamples.search.bounded import EngineDisagreementError
from counterexamples.search.explore import Exploration
from counterexamples.selection import select
from counterexamples.verdict import ExitCode
from model.readings.evaluate import ReplayError
from model.scenario import load_scenarios
from tests.cli.process import scenario


def _check(folder: Path, *checks: str) -> int:
    file = scenario(folder, *checks)
    return int(run_command(["check", str(folder / file), "--out", str(folder / "out")]))


@pytest.mark.parametrize("error", [EngineDisagreementError("planted"), ReplayError("planted")])
def test_an_engine_that_disagrees_with_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, capsys: pytest.CaptureFixture[str],
) -> None:
    def raising(*_: Any, **__: Any) -> Exploration:
        raise error

    monkeypatch.setattr(counterexamples.check, "explore", raising)
    assert _check(tmp_path, 'never: "bear.face_up"') == ExitCode.DISAGREEMENT
    shown = capsys.readouterr().out
    assert "disagree: planted" in shown
    assert "Traceback" not in shown


def test_a_rule_that_lets_an_instant_be_turned_face_up_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    import model.rules.turning

    monkeypatch.setattr(model.rules.turning, "is_instant_or_sorcery_card", lambda o: False)
    path = select([], ["S24"], []).items[0].path
    code = run_command(["check", "--ruling", "S24", "--jobs", "1", "--out", str(tmp_path), "--quiet",
                        "--property", "instant-or-sorcery-never-turns-up"])
    assert code == ExitCode.VIOLATED, path


def dies_once(connection: Connection, properties: Any, options: Any, own: bool, pulses: bool) -> None:
    """A worker that ends in the middle of its work if it is the one that got the first scenario."""
    item = connection.recv()
    if item.path.endswith("0.yaml"):
        os._exit(3)
    time.sleep(1)
    connection.send(Settled(item, "a bear, manifested", ()))
    counterexamples.run._work(connection, properties, options, own, pulses)


def test_a_worker_that_dies_is_a_fault_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [str(tmp_path / scenario(tmp_path, 'never: "bear.tapped"', file=f"{i}.yaml")) for i in range(3)]
    monkeypatch.setattr(counterexamples.run, "_work", dies_once)
    outcomes = list(run(select(files, [], []), Options(), 2))
    assert [type(outcome) for outcome in outcomes] == [Failed, Settled, Settled]
    assert isinstance(outcomes[0], Failed)
    assert outcomes[0].code is ExitCode.INTERNAL
    assert "ended with exit code 3" in outcomes[0].message


def test_an_action_that_never_fires_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / scenario(tmp_path, 'never: "bear.tapped"', mana=1)
    found = load_scenarios(path)[0]
    result = check_scenario(found, "", [], Options())
    assert result.never_fired == ()
    assert run_command(["check", str(path), "--coverage"]) == ExitCode.OK
    assert "a bear, manifested: 0 of" in capsys.readouterr().out
