"""Every exit code is what a real process returns, for the outcome that the table names."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from counterexamples.cli import run_command
from counterexamples.verdict import ExitCode, worst
from tests.cli.process import environment, facedown, scenario

NO_ACTIONS = """
import dataclasses, counterexamples.check as check
build = check.build_system
check.build_system = lambda *a: dataclasses.replace(s := build(*a), actions=s.actions[:1])
"""
"""A planted fault: a model in which nobody may pass."""

RAISES = """
import counterexamples.check as check
def build_system(*arguments): raise ZeroDivisionError("planted")
check.build_system = build_system
"""


@pytest.mark.parametrize(("checks", "code"), [
    (['always: "bear.power == 2"', "property: turned-up-for-mana-cost"], ExitCode.OK),
    (['never: "bear.face_up"'], ExitCode.VIOLATED),
    (['possible: "bear.face_up and active == bob"', "max-states"], ExitCode.UNDECIDED),
    (['possible: "bear.zone == graveyard"'], ExitCode.VACUOUS),
    (["property: instant-or-sorcery-is-revealed-and-stays-down"], ExitCode.VACUOUS),
    (['never: "beer.face_up"'], ExitCode.BAD_INPUT),
])
def test_each_outcome_in_a_process(tmp_path: Path, checks: list[str], code: ExitCode) -> None:
    limits = ["--max-states", "1"] if checks[-1] == "max-states" else []
    done = facedown("check", scenario(tmp_path, *(c for c in checks if c != "max-states")), *limits, cwd=tmp_path)
    assert done.code == code, done.out + done.err
    assert f"exit {int(code)}: {code.says}" in done.out


@pytest.mark.parametrize(("checks", "arguments", "code"), [
    (['never: "1 == 2"'], [], ExitCode.VACUOUS),
    (['possible: "bear.face_up"'], ["--engine", "bounded", "--depth", "1"], ExitCode.OK),
    (['possible: "bear.face_up and active == bob"'], ["--engine", "bounded", "--depth", "1"], ExitCode.UNDECIDED),
    (['possible: "bear.face_up and active == bob"'], ["--engine", "bounded", "--depth", "4"], ExitCode.OK),
    (['never: "bear.face_up"'], ["--engine", "bounded", "--depth", "1"], ExitCode.VIOLATED),
    (['always: "alice.life == 20"'], ["--engine", "induction"], ExitCode.OK),
    (['never: "bear.face_up"'], ["--engine", "induction"], ExitCode.UNDECIDED),
    (['never: "bear.face_up"', 'possible: "bear.zone == graveyard"'], [], ExitCode.VIOLATED),
    (['never: "bear.face_up"'], ["--fail-on", "none"], ExitCode.OK),
    (['never: "bear.face_up"'], ["--fail-on", "vacuous"], ExitCode.OK),
    (['never: "bear.face_up"', 'possible: "bear.zone == graveyard"'], ["--fail-on", "vacuous"], ExitCode.VACUOUS),
    (['never: "beer.face_up"'], ["--fail-on", "none"], ExitCode.BAD_INPUT),
    (["property: cause-is-kept"], ["--property", "no-card-is-lost"], ExitCode.OK),
])
def test_each_option_has_its_effect(tmp_path: Path, checks: list[str], arguments: list[str], code: ExitCode,
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(["check", scenario(tmp_path, *checks), *arguments]) == code


def test_a_deadlock_is_a_fault_of_the_model_and_is_shown(tmp_path: Path) -> None:
    done = facedown("check", scenario(tmp_path, 'always: "bear.power == 2"'), "--fail-on", "none", cwd=tmp_path,
                    before=NO_ACTIONS)
    assert done.code == ExitCode.INTERNAL
    assert "no player has a legal action" in done.out
    assert "turn bear face up" in done.out


def test_what_only_a_fault_can_cause_comes_with_its_stack_trace(tmp_path: Path) -> None:
    done = facedown("check", scenario(tmp_path, 'always: "bear.power == 2"'), cwd=tmp_path, before=RAISES)
    assert done.code == ExitCode.INTERNAL
    assert "Traceback" in done.out
    assert "ZeroDivisionError: planted" in done.out


def test_a_fault_outside_the_check_comes_with_its_stack_trace(tmp_path: Path) -> None:
    before = "import counterexamples.schemas as s\ns.shipped = lambda kind: 1 // 0"
    done = facedown("schema", "trace", cwd=tmp_path, before=before)
    assert done.code == ExitCode.INTERNAL
    assert "Traceback" in done.err


@pytest.mark.parametrize("arguments", [
    ["chek"], ["check", "--engine", "quick"], ["check", "--depth", "0"], ["check", "--max-states", "0"],
    ["check", "--max-seconds", "0"], ["check", "--jobs", "0"], ["check", "--ruling", "S99"],
    ["check", "--property", "no-such-property"], ["check", "--fail-on", "none", "--fail-on", "violated"],
    ["check", "--json", "no/such/folder/result.json"], ["check", "."], ["show", "ruling", "S99"],
    ["show", "property", "cause-is-kep"], ["show", "card", "Runeclaw Bera"], ["show", "rule", "999.9"],
    ["check", "--depth", "3"], ["check", "--engine", "bounded", "--max-states", "3"],
    ["list", "rulings", "--missing"], ["schema", "nothing"], ["replay"],
], ids=" ".join)
def test_the_command_line_is_refused(tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command(arguments) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    assert shown.err != shown.out == ""


def test_the_command_line_is_refused_in_a_process(tmp_path: Path) -> None:
    assert facedown("check", "--ruling", "S99", cwd=tmp_path).code == ExitCode.USAGE


def test_an_interrupted_run_says_what_was_settled(tmp_path: Path) -> None:
    scenario(tmp_path, 'always: "bear.power == 2"', file="a.yaml")
    slow = "import time\nfrom counterexamples.run import Checker\n_check = Checker._check\n" \
           "def check(self, item):\n  if item.path == 'b.yaml':\n    print('', flush=True); time.sleep(60)\n" \
           "  return _check(self, item)\nChecker._check = check\n"
    scenario(tmp_path, 'always: "bear.power == 2"', file="b.yaml")
    program = f"{slow}import sys\nfrom counterexamples.cli import main\nmain()"
    arguments = ["check", "a.yaml", "b.yaml", "--jobs", "1", "--json", "r.json"]
    with subprocess.Popen([sys.executable, "-c", program, *arguments], cwd=tmp_path, env=environment(), text=True,
                          stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while lines[-1] != "\n":
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == ExitCode.UNDECIDED
    assert any("proved" in line for line in lines)
    assert "interrupted" in rest


def test_an_interrupted_run_with_workers_ends_them_and_says_what_was_settled(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-m", "counterexamples.cli", "check", "--no-progress", "--json", "r.json"],
                          cwd=tmp_path, env=environment(), text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        while not re.search(r"proved|witnessed", line):
            line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode in (ExitCode.UNDECIDED, ExitCode.BAD_INPUT)
    assert re.search(r"interrupted: \d+ of \d+ scenarios were settled", rest)
    assert '"interrupted": true' in (tmp_path / "r.json").read_text(encoding="utf-8")


def test_the_table_of_exit_codes_is_the_enumeration(tmp_path: Path) -> None:
    done = facedown("exit-codes", cwd=tmp_path)
    listed = re.findall(r"^ *(\d+)  (.+)$", done.out, re.MULTILINE)
    assert listed == [(str(int(code)), code.says) for code in ExitCode]
    assert ExitCode(1 + 1) is ExitCode.USAGE
    assert 1 not in list(ExitCode)


def test_the_worst_code_wins() -> None:
    order = [70, 13, 15, 10, 12, 11, 14]
    for i, code in enumerate(order):
        assert worst([ExitCode(c) for c in [0, *order[i:]]]) == code
    assert worst([]) is ExitCode.OK
