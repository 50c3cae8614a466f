"""``facedown faults``: every planted fault, whether a property that names the broken rule catches it, and how soon."""

from __future__ import annotations

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
    from counterexamples.faults.fault import Outside
    from counterexamples.faults.matrix import FaultResult
    from counterexamples.report import Report

__all__ = ["MOST_OUTSIDE", "faults_command"]

MOST_OUTSIDE = 8
"""How many public reports may be outside the model."""


@click.command("faults")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@json_option("the matrix")
@jobs_option
@progress_option
def faults_command(ids: tuple[str, ...], json_path: str | None, jobs: int, progress: bool | None) -> ExitCode:
    """Plant faults in the rules, and see whether a property catches each; with IDs, only those, with their plays."""
    from counterexamples.faults.catalogue import all_faults, find_fault, outside
    from counterexamples.faults.matrix import run_faults
    from counterexamples.report import Report

    check_folders(json=json_path)
    start = time.perf_counter()
    left_out = {entry.id: entry for entry in outside()}
    wanted = [id_.upper() if id_.upper().startswith("BR-") else id_ for id_ in ids]
    chosen = [find_fault(id_).id for id_ in wanted if id_ not in left_out] if ids else list(all_faults())
    others = [left_out[id_] for id_ in wanted if id_ in left_out] if ids else list(left_out.values())
    with Report(sys.stderr if json_path == "-" else sys.stdout) as report:
        results = list(shown_progress(run_faults(chosen, jobs), "planting faults", len(chosen), progress))
        code = _code(results, others)
        _tell(report, results, others, plays=bool(ids))
        seconds = time.perf_counter() - start
        _summarize(report, results, others, seconds)
        if json_path is not None:
            document = _document(results, others, code, seconds)
            write_document(json.dumps(document, indent=1, ensure_ascii=False), json_path)
        report.exit(code)
    return code


def _code(results: Sequence[FaultResult], others: Sequence[Outside]) -> ExitCode:
    """Whether every fault is caught, and few reports are left out."""
    too_many = len(others) > MOST_OUTSIDE
    return ExitCode.OK if all(r.is_caught for r in results) and not too_many else ExitCode.VIOLATED


def _tell(report: Report, results: Sequence[FaultResult], others: Sequence[Outside], *, plays: bool) -> None:
    from counterexamples.faults.catalogue import find_fault

    if plays:
        for result in results:
            _tell_one(report, result)
    else:
        rows = [
            (
                r.id,
                find_fault(r.id).kind,
                "caught" if r.is_caught else "NOT CAUGHT",
                _length(r),
                ", ".join(_properties(r)) or _why(r),
                find_fault(r.id).says,
            )
            for r in results
        ]
        report.table(rows, header=("fault", "class", "", "steps", "by", "says"), right=(3,))
    if others:
        report.heading("not planted")
        report.table(
            [(o.id, o.kind, o.says, o.reason) for o in others],
            header=("report", "class", "says", "why it is outside the model"),
        )


def _tell_one(report: Report, result: FaultResult) -> None:
    from counterexamples.faults.catalogue import find_fault

    fault = find_fault(result.id)
    facts = [
        ("says", fault.says),
        ("source", fault.source),
        ("class", fault.kind),
        ("breaks rules", ", ".join(fault.rules)),
        ("replaces", ", ".join(f"{r.__module__}.{r.__qualname__}" for r in fault.breaks)),
        ("result", "caught" if result.is_caught else f"NOT CAUGHT: {_why(result)}"),
        (
            "by",
            [
                f"{red.property}: {red.verdict} in {red.scenario!r}"
                + ("" if red.names_the_rule else " (cites none of these rules)")
                for red in result.reds
            ],
        ),
    ]
    report.facts(fault.id, facts)
    shortest = result.shortest
    if shortest is not None and shortest.trace is not None:
        report.play(shortest.trace, None)
    report.line("")


def _properties(result: FaultResult) -> list[str]:
    """What turned red, what had to first."""
    return list(
        dict.fromkeys(
            red.property for red in sorted(result.reds, key=lambda red: (not red.required, not red.names_the_rule))
        )
    )


def _length(result: FaultResult) -> str:
    shortest = result.shortest
    return "" if shortest is None or shortest.trace is None else str(len(shortest.trace.steps))


def _why(result: FaultResult) -> str:
    if result.problem is not None:
        return result.problem
    return f"not red: {', '.join(result.missing)}" if result.missing else "no property cites a rule that it breaks"


def _summarize(report: Report, results: Sequence[FaultResult], others: Sequence[Outside], seconds: float) -> None:
    caught = sum(r.is_caught for r in results)
    parts = [
        f"{caught} caught",
        f"{len(results) - caught} not caught",
        f"{len(others)} outside the model",
    ]
    report.line(f"\n{', '.join(parts)}; {seconds:.1f} s")


def _document(
    results: Sequence[FaultResult], others: Sequence[Outside], code: ExitCode, seconds: float
) -> dict[str, Any]:
    """The whole matrix, for programs."""
    caught = sum(r.is_caught for r in results)
    return {
        "schema": "facedown.faults/1",
        "version": VERSION,
        "exit_code": int(code),
        "seconds": round(seconds, 1),
        "summary": {
            "caught": caught,
            "not_caught": len(results) - caught,
            "outside": len(others),
        },
        "faults": [_entry(r) for r in results],
        "not_planted": [
            {
                "id": o.id,
                "class": o.kind,
                "source": o.source,
                "says": o.says,
                "reason": o.reason,
            }
            for o in others
        ],
    }


def _entry(result: FaultResult) -> dict[str, Any]:
    from counterexamples.faults.catalogue import find_fault

    fault, shortest = find_fault(result.id), result.shortest
    trace = shortest.trace if shortest is not None else None
    return {
        "id": fault.id,
        "class": fault.kind,
        "source": fault.source,
        "says": fault.says,
        "rules": list(fault.rules),
        "replaces": [f"{r.__module__}.{r.__qualname__}" for r in fault.breaks],
        "caught": result.is_caught,
        "reds": [
            {
                "property": red.property,
                "scenario": red.scenario,
                "verdict": red.verdict,
                "required": red.required,
                "names_the_rule": red.names_the_rule,
                "steps": len(red.trace.steps) if red.trace is not None else None,
            }
            for red in result.reds
        ],
        "missing": list(result.missing),
        "problem": result.problem,
        "steps": len(trace.steps) if trace is not None else None,
        "play": [step.words for step in trace.steps] if trace is not None else None,
        "seconds": round(result.seconds, 2),
    }
