"""Whatever a user gets wrong is one message with its place and what is accepted, and never a stack trace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from counterexamples.cli import run_command
from counterexamples.verdict import ExitCode
from tests.cli.process import facedown

SCENARIO = """\
name: a scenario with a mistake
players:
  alice:
    battlefield: [{card: Runeclaw Bear, as: bear, face_down: manifest}]
    mana: {generic: 2}
  bob: {}
bounds: {stack: 2}
cards:
  Test Card: {cost: "{2}", type: Creature, pt: 1/1, abilities: [flying]}
check:
  - never: "bear.face_up"
"""
CHECK = '  - never: "bear.face_up"'

MISTAKES = [
    ("Runeclaw Bear", "Runeclaw Bera", "4:19", "did you mean 'Runeclaw Bear'"),
    ("face_down: manifest", "face_down: manifst", "4:51", "'manifest'"),
    ("face_down: manifest", "face_don: manifest", "4:51", "did you mean 'face_down'"),
    ("mana:", "mna:", "5:5", "did you mean 'mana'"),
    ("bob: {}", "bob: {hand: [{card: Shock, as: bear}]}", "6:16", "the same card cannot stand in two places"),
    ("{stack: 2}", "{stack: 0}", "7:10", "greater than or equal to 1"),
    ("{stack: 2}", "{stack: 99}", "7:10", "less than or equal to 8"),
    ("{stack: 2}", "{stak: 2}", "7:10", "did you mean 'stack'"),
    ('"{2}"', '"{2}{Q}"', "9:", "accepted are {2}, {X}, {W}"),
    ("[flying]", "[flyng]", "9:", "did you mean 'flying'"),
    ("pt: 1/1, ", "", "9:", "a creature needs pt"),
    ("never: \"bear.face_up\"", "property: cause-is-kep", "11:5", "did you mean 'cause-is-kept'"),
    ("never:", "nver:", "11:5", "did you mean 'never'"),
    ("bear.face_up", "beer.face_up", "11:5", "names no object or player"),
    ("bear.face_up", "bear.face_upp", "11:5", "did you mean 'face_up'"),
    ("bear.face_up", "bear.power == alice", "11:5", "compares"),
    ("bear.face_up", "bear.zone == 3", "11:5", "compares"),
    ("bear.face_up", "bear.power == 'two'", "11:5", "compares"),
    ("bear.face_up", "bear.power", "11:5", "not a condition"),
    ("bear.face_up", "bear.face_up (", "11:5", "cannot be parsed at column"),
    ("bear.face_up", "__import__('os')", "11:5", "accepted are"),
    ("bear.face_up", "", "11:5", "cannot be parsed"),
    (CHECK, f"{CHECK}\n{CHECK}", "12:5", "checked twice"),
    (CHECK, "  - {never: bear.face_up, always: bear.face_up}", "11:5", "one of property:"),
    ("name: a scenario", "name: x\nname: a scenario", "2:1", "twice"),
    ("bob: {}", "bob: {", "", "is no YAML"),
    (SCENARIO[SCENARIO.index("check:"):], "", "1:1", "has nothing to check"),
    (SCENARIO, "", "1:1", "holds no scenario"),
    (SCENARIO, "hello", "1:1", "a scenario is a mapping"),
]


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What one process says of every mistake: each is tried in turn, so that Python starts but once."""
    folder = tmp_path_factory.mktemp("mistakes")
    for i, (right, wrong, _, _) in enumerate(MISTAKES):
        assert right in SCENARIO
        (folder / f"m{i}.yaml").write_text(SCENARIO.replace(right, wrong), encoding="utf-8")
    before = (
        "import sys\nfrom counterexamples.cli import run_command\n"
        f"for i in range({len(MISTAKES)}):\n"
        "    code = run_command(['check', f'm{i}.yaml'])\n"
        "    print(f'code {int(code)}', file=sys.stdout, flush=True)\n"
        "    print('=====', flush=True)\n"
        "sys.argv = ['facedown', '--version']\n"
    )
    done = facedown(cwd=folder, before=before)
    assert "Traceback" not in done.err + done.out
    return done.out.split("=====\n")


@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda i: f"{i}-{MISTAKES[i][1][:30]}")
def test_a_mistake_has_one_message_with_its_place(messages: list[str], number: int) -> None:
    _, _, place, accepted = MISTAKES[number]
    text = messages[number]
    [line] = [line for line in text.splitlines() if line.startswith("bad input: ")]
    assert line.startswith(f"bad input: m{number}.yaml:{place}")
    assert accepted in line
    assert "code 15" in text


@pytest.mark.parametrize(("content", "says"), [
    (b"name: \xff\n", "is not UTF-8"), (None, "cannot be read"),
])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / "x.yaml").write_bytes(content)
    done = facedown("check", "x.yaml", cwd=tmp_path)
    assert done.code == 15
    assert f"x.yaml:1:1: {says}" in done.out


def test_a_property_that_nothing_checks_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(SCENARIO, encoding="utf-8")
    done = facedown("check", "x.yaml", "--property", "beer", cwd=tmp_path)
    assert done.code == 2
    assert "there is no property 'beer'" in done.err


def test_nothing_is_saved_where_nothing_was_violated(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(SCENARIO.replace("never", "possible"), encoding="utf-8")
    done = facedown("check", "x.yaml", cwd=tmp_path)
    assert done.code == 0
    assert os.listdir(tmp_path) == ["x.yaml"]


@pytest.mark.parametrize("command", [["play", str(Path(__file__).parents[1] / "rules"), "--quiet"], ["bench"],
                                     ["faults", "BR-50", "--no-progress"], ["check", "--ruling", "S1"]])
def test_a_document_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                           command: list[str]) -> None:
    assert run_command([*command, "--json", str(tmp_path)]) is ExitCode.BAD_INPUT
    told = capsys.readouterr()
    assert f"bad input: {tmp_path}:1:1: cannot be written: Is a directory" in told.err + told.out
