"""Every fault of the checker turns its own gate red, with its own exit code, and nothing is red without it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from counterexamples.faults.checker import checker_faults
from counterexamples.faults.checker_fault import (
    CheckerFault,
    Site,
    lay_out,
    planted,
    run_commands,
    table,
    written_into,
)
from counterexamples.search._plain import PlainSearch
from counterexamples.verdict import ExitCode
from tests.cli.process import ROOT, facedown

FAULTS = {fault.id: fault for fault in checker_faults()}
each_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))


@each_fault
def test_a_fault_turns_its_gate_red(fault: CheckerFault, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(tmp_path)
    with planted(fault, tmp_path):
        code = run_commands(fault, tmp_path)
    shown = capsys.readouterr()
    assert code is fault.code, shown.out + shown.err
    assert fault.tells in " ".join((shown.out + shown.err).split())


@pytest.mark.parametrize("id_", ["action-dropped", "update-lost", "eight-bits", "hits-lost", "unknown-as-unsat"])
def test_it_is_the_audit_that_notices(id_: str, tmp_path: Path) -> None:
    fault = FAULTS[id_]
    blind = replace(fault, commands=tuple(f"{command} --audit 0" for command in fault.commands))
    lay_out(tmp_path)
    with planted(fault, tmp_path):
        assert run_commands(blind, tmp_path) in (ExitCode.OK, ExitCode.VACUOUS)


@pytest.mark.parametrize("id_", ["play-cut-short", "play-not-legal", "play-of-others"])
def test_a_play_that_is_refused_is_not_saved(id_: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    with planted(FAULTS[id_], tmp_path):
        run_commands(FAULTS[id_], tmp_path)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], ExitCode]:
    """What the commands of every fault return without it."""
    found = {}
    for fault in FAULTS.values():
        if fault.commands not in found:
            folder = tmp_path_factory.mktemp("sound")
            lay_out(folder)
            found[fault.commands] = run_commands(fault, folder)
    return found


@each_fault
def test_nothing_is_red_without_it(fault: CheckerFault, sound: dict[tuple[str, ...], ExitCode]) -> None:
    assert sound[fault.commands] is ExitCode.OK
    assert fault.code is not ExitCode.OK


@pytest.mark.parametrize("id_", ["eight-bits", "unknown-as-proof", "result-contradicts-itself"])
def test_the_process_returns_the_code(id_: str, tmp_path: Path) -> None:
    fault, codes = FAULTS[id_], []
    lay_out(tmp_path)
    before = (
        "from pathlib import Path\nfrom counterexamples.faults.checker import checker_faults\n"
        "from counterexamples.faults.checker_fault import planted\n"
        f"fault = next(fault for fault in checker_faults() if fault.id == {id_!r})\n"
        "site = planted(fault, Path())\nsite.__enter__()\n"
    )
    for command in fault.commands:
        done = facedown(*command.split(), cwd=tmp_path, before=before)
        codes.append(done.code)
    assert codes[-1] == fault.code, done.out + done.err


def test_the_program_is_mended_whatever_happens(tmp_path: Path) -> None:
    def plant(site: Site) -> None:
        site.put(PlainSearch, "path", None)
        raise ZeroDivisionError

    right = PlainSearch.path
    fault = CheckerFault("x", "", "", ExitCode.OK, "", (), plant)
    with pytest.raises(ZeroDivisionError), planted(fault, tmp_path):
        pass
    assert PlainSearch.path is right


def test_a_file_that_cannot_be_spoiled_is_no_fault(tmp_path: Path) -> None:
    lay_out(tmp_path)
    fault = CheckerFault("x", "", "", ExitCode.OK, "", (), lambda site: site.edit("bear.yaml", "no such text", ""))
    with pytest.raises(LookupError, match="no such text"), planted(fault, tmp_path):
        pass


def test_a_code_that_no_gate_returns_is_a_verdict_or_a_usage() -> None:
    assert {fault.code for fault in FAULTS.values()} == set(ExitCode) - {
        ExitCode.OK, ExitCode.USAGE, ExitCode.VIOLATED}


def test_the_table_in_the_readme_is_up_to_date() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert written_into(readme, checker_faults()) == readme, "python -m counterexamples.faults.checker writes it again"
    assert table(checker_faults()) in readme
