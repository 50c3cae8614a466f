"""What users see, word for word.

Set ``FACEDOWN_UPDATE_SNAPSHOTS=1`` to write what is printed now, and read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from tests.cli.process import ROOT, facedown, scenario

SNAPSHOTS = Path(__file__).parent / "snapshots"

EVERYTHING = [
    'never: "bear.face_up"', 'always: "bear.power == 2"', 'possible: "bear.face_up and bear.controller == alice"',
    'possible: "bear.zone == graveyard"', "property: instant-or-sorcery-is-revealed-and-stays-down",
    'always: "bear.face_down and bear.power == 2"',
]


def settled(text: str) -> str:
    """The text without what differs from run to run."""
    return re.sub(r"\b\d+\.\d s\b", "0.0 s", text)


def compare(name: str, text: str) -> None:
    """Compare what was printed with the snapshot of that name."""
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("FACEDOWN_UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(settled(text), encoding="utf-8")
    assert settled(text) == path.read_text(encoding="utf-8")


def test_a_run_with_every_kind_of_outcome(tmp_path: Path) -> None:
    compare("check", facedown("check", scenario(tmp_path, *EVERYTHING), "--coverage", cwd=tmp_path).out)


def test_a_run_that_says_only_what_is_in_the_way(tmp_path: Path) -> None:
    compare("quiet", facedown("check", scenario(tmp_path, *EVERYTHING[:3]), "--quiet", cwd=tmp_path).out)


def test_a_bound_and_what_to_do_about_it(tmp_path: Path) -> None:
    file = scenario(tmp_path, 'never: "bear.zone == graveyard"')
    compare("bound", facedown("check", file, "--engine", "bounded", "--depth", "2", cwd=tmp_path).out)


def test_a_play_that_is_taken_again(tmp_path: Path) -> None:
    facedown("check", scenario(tmp_path, EVERYTHING[0]), cwd=tmp_path)
    [trace] = tmp_path.glob("facedown-out/run-001/*.json")
    compare("replay", facedown("replay", str(trace.relative_to(tmp_path)), cwd=tmp_path).out)


def test_the_trace_file(tmp_path: Path) -> None:
    facedown("check", scenario(tmp_path, EVERYTHING[0]), cwd=tmp_path)
    [trace] = tmp_path.glob("facedown-out/run-001/*.json")
    compare("trace", trace.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["Killer's Mask", "Runeclaw Bear", "Crowd-Control Warden"])
def test_a_card(tmp_path: Path, name: str) -> None:
    shown = facedown("show", "card", name, cwd=tmp_path).out
    without_scenarios = re.sub(r"\n  scenarios.*", "\n", shown, flags=re.DOTALL)
    compare(f"card-{name.lower().replace(' ', '-')}", re.sub(r"^ +", "  ", without_scenarios, flags=re.MULTILINE))


def test_the_version_names_the_edition_of_the_rules(tmp_path: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert facedown("--version", cwd=tmp_path).out == f"facedown {version}, Comprehensive Rules of 17 April 2026\n"


def test_progress_is_on_standard_error_and_only_when_asked(tmp_path: Path) -> None:
    file = scenario(tmp_path, EVERYTHING[1])
    slow = "import counterexamples.search._results as r\nr._SECONDS_BETWEEN_REPORTS = 0.0"
    quiet = facedown("check", file, cwd=tmp_path, before=slow)
    loud = facedown("check", file, "--progress", cwd=tmp_path, before=slow)
    assert quiet.err == ""
    assert re.search(r"0 of 1 scenarios; a bear, manifested: [\d,]+ states, [\d,]+/s, depth \d+, \d+ states left",
                     loud.err)
    assert settled(loud.out) == settled(quiet.out)
