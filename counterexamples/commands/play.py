"""``facedown play``: scripted plays on concrete states."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from counterexamples.about import VERSION
from counterexamples.commands.output import write_document
from counterexamples.verdict import ExitCode, worst

if TYPE_CHECKING:
    from counterexamples.play import Played
    from counterexamples.report import Report
    from model.documents import Document

__all__ = ["play_command"]


@dataclass(frozen=True, slots=True)
class _Line:
    """What came of one scenario.

    Attributes
    ----------
    outcome
        ``passed``, ``failed``, ``unsupported``, ``disputed`` or ``bad input``.
    detail
        Where and why, for what did not pass.
    enabled
        What the rules allowed where play and script part.
    """

    file: str
    name: str
    source: str
    concepts: tuple[str, ...]
    outcome: str
    detail: str = ""
    enabled: tuple[str, ...] = ()
    actions: int = 0

    @property
    def code(self) -> ExitCode:
        """What it means for the run."""
        return {"failed": ExitCode.UNEXPECTED, "bad input": ExitCode.BAD_INPUT}.get(self.outcome, ExitCode.OK)


@click.command("play")
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE_OR_FOLDER...", type=click.Path(exists=True, path_type=Path)
)
@click.option("--json", "json_path", metavar="FILE", help="Write the outcomes as JSON; - is standard output.")
@click.option("--quiet", is_flag=True, help="Show only what did not pass.")
def play_command(paths: tuple[Path, ...], json_path: str | None, quiet: bool) -> ExitCode:
    """Follow scripted scenarios: steps must be enabled, illegal ones must not be, expectations must hold."""
    from counterexamples.report import Report

    start = time.perf_counter()
    report = Report(sys.stderr if json_path == "-" else sys.stdout)
    lines = []
    for line in _play_all(paths):
        lines.append(line)
        if not (quiet and line.outcome == "passed"):
            _tell(report, line)
    if not lines:
        raise click.UsageError("no scenario with a play was found in " + ", ".join(map(str, paths)))
    if not quiet and any(line.concepts for line in lines):
        _tell_concepts(report, lines)
    counted = Counter(line.outcome for line in lines)
    code = worst(line.code for line in lines)
    summary = ", ".join(f"{number} {outcome}" for outcome, number in counted.items())
    report.raw(f"\n{summary}, {time.perf_counter() - start:.1f} s\nexit {int(code)}\n")
    if json_path is not None:
        write_document(json.dumps(_document(lines, counted, code), indent=1), json_path)
    return code


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.yaml")) if path.is_dir() else [path]


def _play_all(paths: Sequence[Path]) -> Iterator[_Line]:
    from model.documents import load_documents
    from model.errors import InputError

    for path in _files(paths):
        try:
            documents = load_documents(path)
        except InputError as problem:
            yield _Line(str(path), str(path), "", (), "bad input", str(problem))
            continue
        for document in documents:
            data = document.data if isinstance(document.data, dict) else {}
            if "play" in data or "expect" in data:
                yield _play(str(path), document, data)


def _play(path: str, document: Document, data: dict[str, Any]) -> _Line:
    from counterexamples.play import play_scenario
    from model.errors import InputError
    from model.scenario import build_scenario

    given = data.get("source")
    source = given if isinstance(given, dict) else {}
    concepts = tuple(word.strip() for word in str(source.get("concepts", "")).split(",") if word.strip())
    name, origin = str(data.get("name", "?")), str(source.get("id", source.get("example", "")))
    for kind in ("unsupported", "disputed"):
        if kind in data:
            return _Line(path, name, origin, concepts, kind, str(data[kind]))
    try:
        played = play_scenario(build_scenario(document))
    except InputError as problem:
        return _Line(path, name, origin, concepts, "bad input", str(problem))
    return _line(path, name, origin, concepts, played)


def _line(path: str, name: str, origin: str, concepts: tuple[str, ...], played: Played) -> _Line:
    from counterexamples.play import Failed, Passed, SetAside

    match played:
        case Passed(taken=taken):
            return _Line(path, name, origin, concepts, "passed", actions=len(taken))
        case SetAside(kind=kind, reason=reason):
            return _Line(path, name, origin, concepts, kind, reason)
        case Failed(step=step, said=said, why=why, enabled=enabled, taken=taken):
            where = f"step {step}" if step else "at the end"
            return _Line(path, name, origin, concepts, "failed", f"{where}, {said}: {why}", enabled, len(taken))


def _tell(report: Report, line: _Line) -> None:
    report.raw(f"{line.outcome:<12} {line.name}" + (f"  [{line.source}]" if line.source else "") + "\n")
    if line.detail:
        report.raw(f"{'':<12}   {line.detail}\n")
    if line.outcome == "failed":
        report.raw(f"{'':<12}   enabled there: {'; '.join(line.enabled) or 'nothing'}\n{'':<12}   {line.file}\n")


def _tell_concepts(report: Report, lines: Sequence[_Line]) -> None:
    table: dict[str, Counter[str]] = {}
    for line in lines:
        for concept in line.concepts:
            table.setdefault(concept, Counter())[line.outcome] += 1
    report.raw("\n")
    for concept, counted in sorted(table.items(), key=lambda pair: (-pair[1].total(), pair[0])):
        others = ", ".join(f"{n} {outcome}" for outcome, n in sorted(counted.items()) if outcome != "passed")
        row = f"{concept:<32} {counted['passed']:>4} of {counted.total():>4}" + (f"  {others}" if others else "")
        report.raw(f"{row}\n")


def _document(lines: Sequence[_Line], counted: Counter[str], code: ExitCode) -> dict[str, Any]:
    results = [
        {
            "scenario": line.name,
            "file": line.file,
            "source": line.source,
            "concepts": list(line.concepts),
            "outcome": line.outcome,
            "detail": line.detail,
            "enabled": list(line.enabled),
            "actions": line.actions,
        }
        for line in lines
    ]
    return {
        "schema": "facedown.play/1",
        "version": VERSION,
        "exit_code": int(code),
        "summary": dict(counted),
        "results": results,
    }
