"""``facedown coverage``: how far each rule of the rulebook is covered."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from counterexamples.about import EDITION, VERSION
from counterexamples.commands.output import write_document
from counterexamples.commands.working import (
    check_folders,
    jobs_option,
    json_option,
    progress_option,
    shown_progress,
)
from counterexamples.verdict import ExitCode

if TYPE_CHECKING:
    from counterexamples.mutation.coverage import Covered
    from counterexamples.report import Report

__all__ = ["coverage_command"]


@click.command("coverage")
@click.option("--necessity", "necessity_path", metavar="FILE",
              help="What facedown necessity --json has written; it is not run again.")
@click.option("--mutants", "mutants_path", metavar="FILE",
              help="What facedown mutants --json has written; it is not run again.")
@json_option("the coverage")
@jobs_option
@progress_option
def coverage_command(necessity_path: str | None, mutants_path: str | None, json_path: str | None, jobs: int,
                     progress: bool | None) -> ExitCode:
    """Say of each rule, in the order of the rulebook, whether it never fired, fired, decided a verdict, or killed a
    mutant, with one play.

    Runs every shipped scenario, facedown necessity and facedown mutants, which takes some ten minutes; the results of
    the latter two can be handed over.
    """
    from counterexamples.mutation.coverage import cover, fired
    from counterexamples.report import Report
    from counterexamples.trials import places

    check_folders(json=json_path)
    start = time.perf_counter()
    read = [_read(path, schema) if path is not None else None
            for path, schema in ((necessity_path, "facedown.necessity/1"), (mutants_path, "facedown.mutants/1"))]
    firings = list(shown_progress(fired(jobs), "running scenarios", len(places()), progress))
    necessity = read[0] or _necessity(jobs, progress)
    mutants = read[1] or _mutants(jobs, progress)
    covered = cover([f for found in firings for f in found], necessity, mutants)
    with Report(sys.stderr if json_path == "-" else sys.stdout) as report:
        _tell(report, covered)
        seconds = time.perf_counter() - start
        report.line(f"\n{_summary(covered)}; {seconds:.1f} s")
        if json_path is not None:
            write_document(json.dumps(_document(covered, seconds), indent=1, ensure_ascii=False), json_path)
        report.exit(ExitCode.OK)
    return ExitCode.OK


def _read(path: str, schema: str) -> dict[str, Any]:
    """A document that another command has written.

    Raises
    ------
    model.errors.InputError
        If it is not there, no JSON, or another document.
    """
    from model.errors import InputError, Span

    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", Span(path)) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise InputError(f"is no JSON document: {problem}", Span(path)) from None
    if not isinstance(found, dict) or found.get("schema") != schema:
        raise InputError(f"is no document {schema!r}", Span(path))
    return found


def _necessity(jobs: int, progress: bool | None) -> dict[str, Any]:
    from counterexamples.commands.necessity import necessity_document
    from counterexamples.mutation.necessity import necessity, rows, weakenings

    tasks = weakenings()
    found = list(shown_progress(necessity(tasks, jobs), "leaving out rules", len(tasks), progress))
    return necessity_document(rows(found), (), (), ExitCode.OK, 0.0)


def _mutants(jobs: int, progress: bool | None) -> dict[str, Any]:
    from counterexamples.commands.mutants import mutants_document
    from counterexamples.mutation.campaign import run_mutants
    from counterexamples.mutation.mutant import all_mutants

    ids = list(all_mutants())
    found = list(shown_progress(run_mutants(ids, jobs), "running mutants", len(ids), progress))
    return mutants_document(found, ExitCode.OK, 0.0)


def _tell(report: Report, covered: Sequence[Covered]) -> None:
    from counterexamples.mutation.coverage import Level

    findings = [c for c in covered if c.level is Level.NOT_CITED]
    report.heading("rules cited by nothing")
    report.table([(c.entry.rule, c.entry.says, c.evidence) for c in findings] or [("none", "", "")],
                 header=("rule", "says", ""))
    report.heading("the rulebook")
    report.table(
        [(c.entry.rule, c.level.value, str(c.steps or ""), str(len(c.properties) or ""), c.evidence, _play(c))
         for c in covered if c.level not in (Level.NOT_CITED, Level.OUT_OF_SCOPE)],
        header=("rule", "", "cited", "properties", "evidence", "a play"), right=(2, 3),
    )
    report.heading("out of scope")
    report.table([(c.entry.rule, c.entry.says, c.evidence) for c in covered if c.level is Level.OUT_OF_SCOPE],
                 header=("rule", "says", "why the model leaves it out"))


def _play(covered: Covered) -> str:
    play = covered.fired
    return "" if play is None else f"{play.scenario}: {'; '.join(play.steps) or 'at the start'}"


def _summary(covered: Sequence[Covered]) -> str:
    from counterexamples.mutation.coverage import counts

    return f"{len(covered)} rules: " + ", ".join(f"{n} {level.value}" for level, n in counts(covered).items())


def _document(covered: Sequence[Covered], seconds: float) -> dict[str, Any]:
    from counterexamples.mutation.coverage import counts

    return {
        "schema": "facedown.coverage/1",
        "version": VERSION,
        "edition": EDITION,
        "exit_code": 0,
        "seconds": round(seconds, 1),
        "summary": {level.value.replace(" ", "_"): n for level, n in counts(covered).items()},
        "rules": [
            {
                "rule": c.entry.rule, "says": c.entry.says, "level": c.level.value, "evidence": c.evidence or None,
                "cited_by_steps": c.steps, "properties": list(c.properties), "out_of_scope": c.entry.out_of_scope,
                "play": None if c.fired is None else {"scenario": c.fired.scenario, "steps": list(c.fired.steps),
                                                      "how": c.fired.how},
            }
            for c in covered
        ],
    }
