"""``facedown necessity``: which properties need which rules."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from counterexamples.about import VERSION
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
    from counterexamples.mutation.necessity import Breach, Row
    from counterexamples.report import Report

__all__ = ["necessity_command", "necessity_document"]

_SHOWN = 4
"""How many properties a row of the whole matrix names."""


@click.command("necessity")
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@json_option("the matrix")
@click.option("--csv", "csv_path", metavar="FILE", help="Write the matrix as CSV: a row for each rule and role, a "
              "column for each property; - is standard output.")
@jobs_option
@progress_option
def necessity_command(rules: tuple[str, ...], json_path: str | None, csv_path: str | None, jobs: int,
                      progress: bool | None) -> ExitCode:
    """Leave out each rule of the model, and see which properties break; with RULEs, only those, with a play for each.

    A property that nothing breaks and a rule that nothing needs are findings and come first; the former end the run
    with 12.
    """
    from counterexamples.mutation.necessity import necessity, rows, rules_of_the_model, unbroken, unneeded, weakenings
    from counterexamples.report import Report
    from model.errors import UsageError, nearest

    check_folders(json=json_path, csv=csv_path)
    start = time.perf_counter()
    known = rules_of_the_model()
    for rule in rules:
        if rule not in known:
            raise UsageError(f"no shipped scenario rests on the rule {rule!r}{nearest(rule, known)}")
    tasks = weakenings(rules)
    with Report(sys.stderr if "-" in (json_path, csv_path) else sys.stdout) as report:
        found = list(shown_progress(necessity(tasks, jobs), "leaving out rules", len(tasks), progress))
        matrix = [row for row in rows(found) if not rules or row.rule in rules]
        findings = ([], unneeded(matrix)) if rules else (unbroken(matrix), unneeded(matrix))
        code = ExitCode.VACUOUS if findings[0] else ExitCode.OK
        if rules:
            _tell_each(report, matrix)
        else:
            _tell(report, matrix, *findings)
        seconds = time.perf_counter() - start
        report.line(f"\n{_summary(matrix)}; {seconds:.1f} s")
        if json_path is not None:
            document = necessity_document(matrix, *findings, code, seconds)
            write_document(json.dumps(document, indent=1, ensure_ascii=False), json_path)
        if csv_path is not None:
            write_document(_csv(matrix), csv_path)
        report.exit(code)
    return code


def _tell(report: Report, matrix: Sequence[Row], unbroken: Sequence[str], unneeded: Sequence[str]) -> None:
    from counterexamples.mutation.necessity import Need

    report.heading("findings")
    report.facts("", [("properties that nothing breaks", unbroken or ["none"]),
                      ("rules that nothing needs", ", ".join(unneeded) or "none")])
    report.heading("which properties need which rules")
    report.table(
        [(row.rule, row.role.value, _shortest(row), *(str(len(row.of(need))) for need in Need), _names(row))
         for row in matrix],
        header=("rule", "", "steps", *(need.value for need in Need), "needed by"), right=(2, 3, 4, 5, 6),
    )


def _names(row: Row) -> str:
    from counterexamples.mutation.necessity import Need

    names = row.of(Need.NEEDED)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more + (f"  (not everywhere: {row.problem})" if row.problem else "")


def _shortest(row: Row) -> str:
    lengths = [len(b.trace.steps) for b in _breaks(row) if b.trace is not None]
    return str(min(lengths)) if lengths else ""


def _breaks(row: Row) -> list[Breach]:
    from counterexamples.mutation.necessity import Need

    return [cell.evidence for cell in row.cells.values() if cell.need is Need.NEEDED]


def _tell_each(report: Report, matrix: Sequence[Row]) -> None:
    from counterexamples.mutation.necessity import Need
    from properties.rulebook import rulebook

    order = list(Need)
    says = {entry.rule: entry.says for entry in rulebook()}
    for row in matrix:
        report.heading(f"{row.rule} {row.role.value}: {says.get(row.rule, '')}")
        cells = sorted(row.cells.items(), key=lambda pair: order.index(pair[1].need))
        report.table([(name, cell.need.value, cell.evidence.scenario, cell.evidence.detail)
                      for name, cell in cells], header=("property", "", "scenario", "without it"))
        plays = [b.trace for b in _breaks(row) if b.trace is not None]
        if plays:
            report.play(min(plays, key=lambda trace: len(trace.steps)), None)
        report.line("")


def _summary(matrix: Sequence[Row]) -> str:
    from counterexamples.mutation.necessity import Need

    rules = len({row.rule for row in matrix})
    needed = len({row.rule for row in matrix if row.of(Need.NEEDED)})
    return f"{needed} of {rules} rules are needed by a property; {sum(len(row.cells) for row in matrix):,} cells"


def necessity_document(matrix: Sequence[Row], unbroken: Sequence[str], unneeded: Sequence[str], code: ExitCode,
                       seconds: float) -> dict[str, Any]:
    """The whole matrix, for programs."""
    return {
        "schema": "facedown.necessity/1",
        "version": VERSION,
        "exit_code": int(code),
        "seconds": round(seconds, 1),
        "findings": {"properties_that_nothing_breaks": list(unbroken), "rules_that_nothing_needs": list(unneeded)},
        "rows": [
            {"rule": row.rule, "role": row.role.value, "problem": row.problem,
             "properties": [_entry(name, cell.need.value, cell.evidence) for name, cell in row.cells.items()]}
            for row in matrix
        ],
    }


def _entry(name: str, need: str, evidence: Breach) -> dict[str, Any]:
    steps = evidence.trace.steps if evidence.trace is not None else None
    return {
        "property": name, "need": need, "scenario": evidence.scenario, "detail": evidence.detail,
        "steps": None if steps is None else len(steps),
        "play": None if steps is None else [f"{s.actor}: {s.words}" if s.actor else s.words for s in steps],
    }


def _csv(matrix: Sequence[Row]) -> str:
    names = list(dict.fromkeys(name for row in matrix for name in row.cells))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rule", "role", *names])
    for row in matrix:
        cells = (row.cells.get(name) for name in names)
        writer.writerow([row.rule, row.role.value, *("" if cell is None else cell.need.value for cell in cells)])
    return text.getvalue()
