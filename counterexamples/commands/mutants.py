"""``facedown mutants``: systematic changes of the rules, and what notices each."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
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
    from counterexamples.mutation.campaign import MutantResult
    from counterexamples.report import Report

__all__ = ["mutants_command", "mutants_document"]


@click.command("mutants")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--list", "list_only", is_flag=True, help="List the mutants and what each changes; run none.")
@json_option("what became of each mutant")
@jobs_option
@progress_option
def mutants_command(names: tuple[str, ...], list_only: bool, json_path: str | None, jobs: int,
                    progress: bool | None) -> ExitCode:
    """Change the rules one line at a time, and see whether a property turns red; with NAMEs, only mutants whose name
    has one of them in it.

    A mutant that nothing notices is proved equivalent, or shown with a play on which it differs, which ends the run
    with 10.
    """
    from counterexamples.mutation.campaign import Fate, run_mutants
    from counterexamples.mutation.mutant import all_mutants
    from counterexamples.report import Report
    from model.errors import UsageError

    check_folders(json=json_path)
    start = time.perf_counter()
    chosen = [id_ for id_ in all_mutants() if not names or any(name in id_ for name in names)]
    if not chosen:
        raise UsageError(f"no mutant has {' or '.join(names)} in its name; facedown mutants --list lists them")
    with Report(sys.stderr if json_path == "-" else sys.stdout) as report:
        if list_only:
            report.table([(id_, _where(id_), all_mutants()[id_].says) for id_ in chosen],
                         header=("mutant", "line", "change"))
            return ExitCode.OK
        results = list(shown_progress(run_mutants(chosen, jobs), "running mutants", len(chosen), progress))
        survived = any(r.fate in (Fate.SURVIVED, Fate.NOT_RUN) for r in results)
        code = ExitCode.VIOLATED if survived else ExitCode.OK
        _tell(report, results, whole=not names)
        seconds = time.perf_counter() - start
        report.line(f"\n{_summary(results)}; {seconds:.1f} s")
        if json_path is not None:
            document = mutants_document(results, code, seconds)
            write_document(json.dumps(document, indent=1, ensure_ascii=False), json_path)
        report.exit(code)
    return code


def _where(id_: str) -> str:
    from counterexamples.mutation.mutant import all_mutants

    mutant = all_mutants()[id_]
    return f"{mutant.function.rpartition('.')[0]} {mutant.site.line}"


def _tell(report: Report, results: Sequence[MutantResult], *, whole: bool) -> None:
    from counterexamples.mutation.campaign import Fate
    from counterexamples.mutation.mutant import all_mutants

    report.heading("what became of them")
    operators = list(dict.fromkeys(all_mutants()[r.id].operator for r in results))
    by_operator = Counter((all_mutants()[r.id].operator.name, r.fate) for r in results)
    report.table([(op.name, *(str(by_operator[op.name, fate] or "") for fate in Fate), op.says) for op in operators],
                 header=("operator", *(fate.value for fate in Fate), ""), right=range(1, len(Fate) + 1))
    if not whole:
        _tell_killed(report, [r for r in results if r.fate in (Fate.KILLED, Fate.STOPPED)])
    for fate in (Fate.SURVIVED, Fate.NOT_RUN, Fate.UNDECIDED, Fate.SAME_PLAYS, Fate.EQUIVALENT, Fate.STILLBORN):
        kept = [r for r in results if r.fate is fate]
        if kept:
            report.heading(f"{fate.value}: {fate.says}")
            report.table([(r.id, all_mutants()[r.id].says, r.how, _play(r)) for r in kept],
                         header=("mutant", "change", "how", "a play that shows it"))


def _tell_killed(report: Report, results: Sequence[MutantResult]) -> None:
    from counterexamples.mutation.mutant import all_mutants

    report.heading("noticed")
    report.table([(r.id, all_mutants()[r.id].says, r.by, r.scenario, "" if r.steps is None else str(r.steps))
                  for r in results], header=("mutant", "change", "by", "scenario", "steps"), right=(4,))


def _play(result: MutantResult) -> str:
    difference = result.difference
    if difference is None:
        return ""
    return f"{result.scenario}: {'; '.join(difference.play) or 'at the start'}"


def _summary(results: Sequence[MutantResult]) -> str:
    from counterexamples.mutation.campaign import Fate

    counts = Counter(r.fate for r in results)
    noticed = counts[Fate.KILLED] + counts[Fate.STOPPED]
    differ = noticed + counts[Fate.SURVIVED] + counts[Fate.NOT_RUN]
    rate = f"{100 * noticed / differ:.1f} % of those that differ" if differ else "none differs"
    return f"{len(results)} mutants; {noticed} noticed, {rate}; " + ", ".join(
        f"{counts[fate]} {fate.value}" for fate in Fate if counts[fate])


def mutants_document(results: Sequence[MutantResult], code: ExitCode, seconds: float) -> dict[str, Any]:
    from counterexamples.mutation.campaign import Fate

    counts = Counter(r.fate for r in results)
    return {
        "schema": "facedown.mutants/1",
        "version": VERSION,
        "exit_code": int(code),
        "seconds": round(seconds, 1),
        "summary": {fate.value.replace(" ", "_"): counts[fate] for fate in Fate},
        "mutants": [_entry(r) for r in results],
    }


def _entry(result: MutantResult) -> dict[str, Any]:
    from counterexamples.mutation.mutant import all_mutants

    mutant = all_mutants()[result.id]
    return {
        "id": result.id, "operator": mutant.operator.name, "function": mutant.function, "line": mutant.site.line,
        "was": mutant.site.was, "becomes": mutant.site.becomes, "rules": list(mutant.rules),
        "fate": result.fate.value, "by": result.by or None, "names_the_rule": result.names_the_rule,
        "scenario": result.scenario or None, "steps": result.steps, "how": result.how or None,
        "play": list(result.difference.play) if result.difference is not None else None,
        "seconds": round(result.seconds, 2),
    }
