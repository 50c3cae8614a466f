"""``facedown schema KIND --validate FILE``: what is of the kind, what is not, and what contradicts itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterexamples.cli import run_command
from counterexamples.verdict import ExitCode
from tests.cli.process import scenario


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of each kind."""
    folder = tmp_path_factory.mktemp("files")
    path = folder / scenario(folder, 'never: "bear.face_up"', 'always: "bear.power == 2"')
    result, out = folder / "result.json", folder / "out"
    assert run_command(["check", str(path), "--json", str(result), "--out", str(out)]) is ExitCode.VIOLATED
    [trace] = out.glob("run-001/*.json")
    return {"scenario": path, "trace": trace, "result": result}


@pytest.mark.parametrize("kind", ["scenario", "trace", "result"])
@pytest.mark.parametrize("of", ["scenario", "trace", "result"])
def test_a_file_is_of_its_kind_only(files: dict[str, Path], kind: str, of: str,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    code = run_command(["schema", kind, "--validate", str(files[of])])
    shown = capsys.readouterr()
    assert code is (ExitCode.OK if kind == of else ExitCode.BAD_INPUT)
    assert (f"is a valid {kind}" in shown.out.replace("\n", "")) is (kind == of)
    assert "Traceback" not in shown.err


def _recount(data: Any) -> None:
    data["summary"]["proved"] += 1


CHANGES: list[tuple[Callable[[Any], object], ExitCode, str]] = [
    (_recount, ExitCode.DISAGREEMENT, "the summary does not count the results"),
    (lambda d: d.update(exit_code=0), ExitCode.DISAGREEMENT, "the exit code is 0, the results give 10"),
    (lambda d: d["settings"].update(fail_on=[]), ExitCode.DISAGREEMENT, "the exit code is 10, the results give 0"),
    (lambda d: d["results"].clear(), ExitCode.DISAGREEMENT, "the summary does not count the results"),
    (lambda d: d.update(more=1), ExitCode.BAD_INPUT, "more"),
    (lambda d: d.pop("summary"), ExitCode.BAD_INPUT, "summary"),
    (lambda d: d["results"][0].update(verdict="fine"), ExitCode.BAD_INPUT, "results.0.verdict"),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_a_result_that_was_changed_is_refused(files: dict[str, Path], tmp_path: Path, number: int,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    change, code, says = CHANGES[number]
    data = json.loads(files["result"].read_text(encoding="utf-8"))
    change(data)
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    assert run_command(["schema", "result", "--validate", str(tmp_path / "r.json")]) is code
    assert says in " ".join(capsys.readouterr().err.split())


def test_a_run_without_results_is_no_success(files: dict[str, Path], tmp_path: Path) -> None:
    data = json.loads(files["result"].read_text(encoding="utf-8"))
    data.update(results=[], exit_code=0, summary=dict.fromkeys(data["summary"], 0))
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    assert run_command(["schema", "result", "--validate", str(tmp_path / "r.json")]) is ExitCode.DISAGREEMENT
    data.update(exit_code=12)
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    assert run_command(["schema", "result", "--validate", str(tmp_path / "r.json")]) is ExitCode.OK


@pytest.mark.parametrize("kind", ["scenario", "trace", "result"])
def test_a_file_that_cannot_be_read(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["schema", kind, "--validate", str(tmp_path / "no.json")]) is ExitCode.BAD_INPUT
    assert "cannot be read: No such file" in " ".join(capsys.readouterr().err.split())


def test_what_an_engine_would_not_read_is_refused(files: dict[str, Path]) -> None:
    assert run_command(["check", str(files["scenario"]), "--engine", "induction", "--audit", "5"]) is ExitCode.USAGE
    assert run_command(["check", str(files["scenario"]), "--audit", "-1"]) is ExitCode.USAGE
    assert run_command(["check", str(files["scenario"]), "--audit", "0", "--fail-on", "none"]) is ExitCode.OK
