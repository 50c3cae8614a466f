"""The README's commands and examples are real."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click

from counterexamples.cli import facedown
from counterexamples.faults.fault import Fault
from counterexamples.faults.matrix import judge

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def _block(mark: str) -> str:
    found = re.search(rf"<!-- {re.escape(mark)} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found, mark
    return found[1]


def _run(arguments: list[str], folder: Path, width: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "counterexamples.cli", *arguments], capture_output=True, text=True,
                          cwd=folder, env={"PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": str(width),
                                           "PATH": "/usr/bin:/bin"}, check=False)


def _words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


def test_the_proof_table(tmp_path: Path):
    done = _run(["check", "--ruling", "S8"], tmp_path, 200)
    assert done.returncode == 0, done.stderr
    printed = _words(done.stdout)
    for row in _words(_block("facedown check --ruling S8")):
        assert any(line[: len(row)] == row for line in printed), row


def test_the_counterexample(tmp_path: Path):
    (tmp_path / "angel.yaml").write_text(_block("angel.yaml"), encoding="utf-8")
    done = _run(["check", "angel.yaml"], tmp_path, 118)
    assert done.returncode == 10, done.stderr
    assert _block("facedown check angel.yaml").rstrip() in done.stdout


def test_the_leak(tmp_path: Path):
    (tmp_path / "grey.yaml").write_text(_block("grey.yaml"), encoding="utf-8")
    done = _run(["check", "grey.yaml"], tmp_path, 118)
    assert done.returncode == 10, done.stderr
    assert _block("facedown check grey.yaml").rstrip() in done.stdout


def test_the_fault_that_a_newcomer_adds():
    names: dict[str, object] = {}
    exec(_block("fault.py"), names)
    [fault] = (value for value in names.values() if isinstance(value, Fault))
    result = judge(fault)
    assert result.is_caught and result.problem is None


def test_the_commands_that_it_names_exist():
    named = set(re.findall(r"`facedown ([a-z-]+)", README))
    assert {"faults", "necessity", "mutants", "coverage", "play", "replay"} <= named
    assert named <= set(facedown.list_commands(click.Context(facedown)))


def test_the_scripted_play(tmp_path: Path):
    (tmp_path / "clone.yaml").write_text(_block("clone.yaml"), encoding="utf-8")
    done = _run(["play", "clone.yaml"], tmp_path, 118)
    assert done.returncode == 0, done.stdout


def test_the_two_commands_stand_in_it():
    assert "python3 -m pip install . && facedown check" in README
    assert "python3 -m pip install -e '.[test]' && python3 -m pytest" in README
