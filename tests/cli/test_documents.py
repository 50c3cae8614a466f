"""The result document and the schemas: whole, derived, and up to date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from counterexamples.document import ResultDocument, code_of_run, result_of
from counterexamples.run import Row
from counterexamples.schemas import KINDS, generate, shipped
from counterexamples.verdict import (
    ExitCode,
    HoldsTo,
    Proved,
    Undecided,
    Unreachable,
    Vacuous,
    Verdict,
    exit_code,
)
from tests.cli.process import Finished, facedown, scenario

CHECKS = ('never: "bear.face_up"', 'always: "bear.power == 2"', 'possible: "bear.face_up"')


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Finished]:
    folder = tmp_path_factory.mktemp("run")
    file = scenario(folder, *CHECKS)
    return folder, facedown("check", file, "--json", "-", "--out", "kept", cwd=folder)


@pytest.fixture
def document(run: tuple[Path, Finished]) -> Any:
    return run[1].json


def test_the_document_is_valid_and_the_report_is_beside_it(run: tuple[Path, Finished], document: Any) -> None:
    assert ResultDocument.model_validate_json(json.dumps(document)).exit_code == run[1].code == 10
    assert "VIOLATED" in run[1].err


def test_each_result_says_what_the_design_promises(run: tuple[Path, Finished], document: Any) -> None:
    assert [r["verdict"] for r in document["results"]] == ["violated", "proved", "witnessed"]
    for result in document["results"]:
        assert result["engine"] == "explore"
        assert result["states"] == 18
        assert result["transitions"] == 20
        assert result["cites"] == ["701.40b"]
        assert result["rulings"] == ["S4"]
        assert (result["trace"] is not None) == (result["verdict"] in ("violated", "witnessed"))
        assert result["trace"] is None or (run[0] / result["trace"]).is_file()
    assert document["summary"] == {"proved": 1, "holds_to_bound": 0, "violated": 1, "witnessed": 1, "unreachable": 0,
                                   "vacuous": 0, "undecided": 0}
    assert document["schema"] == "facedown.result/1"
    assert document["command"] == "facedown check bear.yaml --json - --out kept"


def test_the_document_is_whole_for_success_and_for_bad_input(tmp_path: Path) -> None:
    held = facedown("check", scenario(tmp_path, CHECKS[1]), "--json", "-", cwd=tmp_path)
    bad = facedown("check", scenario(tmp_path, "nver: x", file="bad.yaml"), "--json", "-", cwd=tmp_path)
    assert ResultDocument.model_validate_json(held.out).exit_code == held.code == 0
    found = ResultDocument.model_validate_json(bad.out)
    assert found.exit_code == bad.code == 15
    assert found.problems[0].message.startswith("bad.yaml:9:5: unknown key 'nver'")


@pytest.mark.parametrize(("path", "value"), [
    (("exit_code",), 0), (("summary", "violated"), 0), (("summary", "proved"), 2),
    (("results", 0, "verdict"), "proved"), (("interrupted",), 1), (("results", 0, "states"), -1),
    (("settings", "fail_on"), []), (("extra",), 1), (("schema",), "facedown.result/2"),
])
def test_a_document_that_contradicts_itself_is_refused(document: Any, path: tuple[Any, ...], value: Any) -> None:
    place = document
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    with pytest.raises(ValidationError):
        ResultDocument.model_validate_json(json.dumps(document))


def test_what_holds_to_a_bound_is_never_counted_as_proved(tmp_path: Path) -> None:
    file = scenario(tmp_path, 'never: "bear.zone == graveyard"')
    done = facedown("check", file, "--engine", "bounded", "--depth", "3", "--json", "-", cwd=tmp_path)
    assert done.json["summary"]["proved"] == 0
    assert done.json["summary"]["holds_to_bound"] == 1
    assert done.json["results"][0]["detail"] == "no violation within 3 steps"
    assert "to a bound" in done.err


@pytest.mark.parametrize(("arguments", "settings"), [
    ("--engine bounded --depth 3 --max-seconds 5", {"engine": "bounded", "depth": 3, "max_seconds": 5.0}),
    ("--max-states 7 --fail-on vacuous", {"engine": "auto", "max_states": 7, "fail_on": ["vacuous"]}),
])
def test_every_setting_is_echoed(tmp_path: Path, arguments: str, settings: dict[str, object]) -> None:
    done = facedown("check", scenario(tmp_path, CHECKS[1]), *arguments.split(), "--json", "-", cwd=tmp_path)
    assert done.json["settings"] | settings == done.json["settings"]


@pytest.mark.parametrize("verdict", [
    Proved("exhaustive"), HoldsTo("8 steps"), Unreachable(3), Vacuous("nothing"), Undecided("time"),
])
def test_the_word_of_a_verdict_gives_the_code_of_the_verdict(verdict: Verdict) -> None:
    row = Row("id", "Invariant", "says", (), (), "scenario", verdict, "explore", 1, 1, 1, 0, 0.1)
    found = result_of(row, "file", None)
    assert code_of_run([found], [], ("violated", "vacuous", "undecided"), interrupted=False) == exit_code(verdict)
    assert code_of_run([found], [], (), interrupted=False) is ExitCode.OK
    assert code_of_run([found], [], (), interrupted=True) is ExitCode.UNDECIDED


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file = scenario(tmp_path, CHECKS[0])
    for _ in range(2):
        facedown("check", file, cwd=tmp_path)
    runs = sorted(path.name for path in (tmp_path / "facedown-out").iterdir())
    assert runs == ["run-001", "run-002"]


def test_workers_and_one_process_say_the_same_in_the_same_order(tmp_path: Path) -> None:
    files = [scenario(tmp_path, *CHECKS[:i + 1], file=f"{i}.yaml") for i in range(3)]
    one, two = (facedown("check", *files, "--json", "-", "--jobs", jobs, cwd=tmp_path).json for jobs in ("1", "3"))
    for document in (one, two):
        for result in document["results"]:
            result["seconds"] = 0
            result["trace"] = result["trace"] and Path(result["trace"]).name
        document["command"] = ""
    assert one == two
    assert [r["file"] for r in one["results"]] == ["0.yaml", "1.yaml", "1.yaml", "2.yaml", "2.yaml", "2.yaml"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_shipped_schema_is_the_one_of_the_models(kind: str) -> None:
    assert shipped(kind) == generate(kind), (
        "python -m counterexamples.schemas writes it again")


def test_the_scenario_schema_has_a_bare_name_beside_the_mapping() -> None:
    schema = json.loads(shipped("scenario"))
    assert {"type": "string"} in schema["$defs"]["PlayerData"]["properties"]["hand"]["items"]["anyOf"]
    assert set(schema["properties"]["check"]["items"]) == {"$ref"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_printed(tmp_path: Path, kind: str) -> None:
    assert facedown("schema", kind, cwd=tmp_path).out == shipped(kind)
